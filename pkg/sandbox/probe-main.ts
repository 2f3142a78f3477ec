/**
 * Asks health URLs until all are well, from inside the sandbox's network namespace, where only the program that asks
 * can reach them. Arguments: how many milliseconds to go on asking (0: ask once), then `name=url` pairs. Prints one
 * JSON object: name → null when well, else what was wrong at last. Certificates are not checked: these are addresses
 * of a namespace that only our own programs live in, and only a word comes back.
 */
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const [timeoutMs = '0', ...pairs] = process.argv.slice(2);
const deadline = performance.now() + Number(timeoutMs);
const targets = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);

async function ask(url: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const options = { timeout: 5000, rejectUnauthorized: false };
  const send = url.startsWith('https:') ? getSecurely : get;
  const request = send(url, options, (response) => {
    response.resume();
    resolve(response.statusCode === 200 ? null : `answers ${response.statusCode}`);
  });
  request.on('timeout', () => request.destroy(new Error('no answer in 5 s')));
  request.on('error', (error) => resolve(error.message));
  return promise;
}

async function askUntilWell(url: string): Promise<string | null> {
  for (;;) {
    const answer = await ask(url);
    if (answer === null || performance.now() >= deadline) return answer;
    await sleep(100);
  }
}

const answers = await Promise.all(targets.map(async ([name, url]) => [name, await askUntilWell(url)] as const));
process.stdout.write(JSON.stringify(Object.fromEntries(answers)));
