import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../prepare/run.mjs';

/** The limit is only for a start that hangs, so it is far above the time that a slow and busy machine needs. */
const READY_WITHIN_MS = 240_000;
const LOOK_AGAIN_MS = 50;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Waits until `look` returns no fault. If the process ends, its process group reports the end, and the start fails before this
 * wait is over.
 */
export async function untilReady(name, look) {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const fault = await look();
    if (fault === undefined) return;
    if (performance.now() > deadline) throw new Refusal(`${name} was not ready within ${READY_WITHIN_MS / 1000} s: ${fault}`);
    await delay(LOOK_AGAIN_MS);
  }
}

export async function answersHttp(url, init = {}) {
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return reply.ok ? undefined : `it answers ${reply.status} ${(await reply.text()).slice(0, 500)}`;
  } catch (error) {
    return error.cause?.code ?? error.message;
  }
}

export function answersRpc(port, method = 'eth_chainId') {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  return answersHttp(`http://127.0.0.1:${port}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

export function listensOn(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', (error) => resolve(error.code));
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
  });
}
