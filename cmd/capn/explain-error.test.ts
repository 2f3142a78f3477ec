import { CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { errorCodes, KubeError, type ErrorCode } from '#kube';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { explainError } from './explain-error.ts';

it('gives every exit a code of its own', () => {
  const codes = Object.values(exitCodes).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

it.each(Object.keys(errorCodes) as ErrorCode[])('explains the server error %s with something to do', (code) => {
  const explained = explainError(new KubeError('GET pods: no', { code }));
  expect(explained.exit).not.toBe('ok');
  expect(explained.message).not.toBe('');
  expect(explained.advice === '').toBe(code === 'ABORTED');
});

it('tells a refusal of the server from something that was never sent', () => {
  expect(explainError(new KubeError('CREATE: no', { code: 'INVALID', status: 422 })).exit).toBe('invalid');
  expect(explainError(new KubeError('kubeconfig: no', { code: 'INVALID' })).exit).toBe('wrongUse');
});

it('keeps what a command says of itself', () => {
  expect(explainError(new CliError('refused', 'no', 'say --yes'))).toEqual({
    exit: 'refused',
    message: 'no',
    advice: 'say --yes',
  });
});

it('calls wrong flags wrong use, and help no failure', () => {
  expect(explainError(new CommanderError(1, 'commander.unknownOption', 'x')).exit).toBe('wrongUse');
  expect(explainError(new CommanderError(0, 'commander.helpDisplayed', 'x')).exit).toBe('ok');
});

it('tells an interruption from a failure', () => {
  expect(explainError(AbortSignal.abort().reason).exit).toBe('interrupted');
  expect(explainError(new Error('what')).exit).toBe('failed');
});

it('points to --debug only where the message was not written for people', () => {
  expect(explainError(new Error('the sandbox needs root: use sudo')).advice).toBe('');
  expect(explainError(new TypeError('x is not a function')).advice).toContain('--debug');
  expect(explainError(Object.assign(new Error('EACCES'), { code: 'EACCES' })).advice).toContain('--debug');
});
