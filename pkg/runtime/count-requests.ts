import type { answerCodes, Metrics, requestVerbs } from '#observe';
import { isKubeError, type KubeClient } from '#kube';

type Verb = (typeof requestVerbs)[number];
type Code = (typeof answerCodes)[number];

/**
 * The same client, with its calls counted in `capn_api_requests_total`. Tries within one call count once, by the last;
 * a watch counts when it ends.
 */
export function countRequests(client: KubeClient, metrics: Metrics): KubeClient {
  const count = (verb: Verb, code: Code): void => metrics.apiRequests.inc({ verb, code });
  const counted = async <R>(verb: Verb, call: Promise<R>, codeOf: (result: R) => Code = () => '2xx'): Promise<R> => {
    try {
      const result = await call;
      count(verb, codeOf(result));
      return result;
    } catch (error) {
      count(verb, codeOfError(error));
      throw error;
    }
  };
  return {
    get server() {
      return client.server;
    },
    get: async (...args) => await counted('get', client.get(...args), (found) => (found === undefined ? '4xx' : '2xx')),
    list: async (...args) => await counted('list', client.list(...args)),
    create: async (...args) => await counted('create', client.create(...args)),
    replace: async (...args) => await counted('replace', client.replace(...args)),
    apply: async (...args) => await counted('apply', client.apply(...args)),
    mergePatch: async (...args) => await counted('patch', client.mergePatch(...args)),
    delete: async (...args) =>
      await counted('delete', client.delete(...args), (answer) => (answer === 'gone' ? '4xx' : '2xx')),
    raw: async (...args) => await counted('raw', client.raw(...args), ({ status }) => codeOfStatus(status)),
    watch: (...args) => countedStream(client.watch(...args), (code) => count('watch', code)),
    [Symbol.asyncDispose]: async () => await client[Symbol.asyncDispose](),
  };
}

async function* countedStream<Item>(stream: AsyncIterable<Item>, count: (code: Code) => void): AsyncGenerator<Item> {
  let code: Code = '2xx';
  try {
    yield* stream;
  } catch (error) {
    code = codeOfError(error);
    throw error;
  } finally {
    count(code);
  }
}

function codeOfError(error: unknown): Code {
  return isKubeError(error) && error.status !== undefined ? codeOfStatus(error.status) : 'none';
}

function codeOfStatus(status: number): Code {
  if (status < 200) return '1xx';
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
