import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bank } from '../../../local/solana/bank';
import { Journal } from '../../../local/solana/journal';
import { createMethods } from '../../../local/solana/methods';
import { createRpcServer } from '../../../local/solana/server';

export type TestBank = {
  readonly url: string;
  readonly call: (method: string, ...params: unknown[]) => unknown;
  /** Ends the bank as a crash would, and starts a new bank on the same journal. */
  readonly restart: () => void;
  readonly close: () => Promise<void>;
};

/** Starts a bank (a local ledger of Solana) in this process, with its JSON-RPC on a free port. */
export async function startBank(): Promise<TestBank> {
  const file = join(mkdtempSync(join(tmpdir(), 'strongroom-bank-')), 'journal');
  let methods = createMethods(new Bank(Journal.open(file)));
  const names = Object.keys(methods);
  const call = (method: string, ...params: unknown[]) => methods[method]?.(params);
  const server = createRpcServer(
    Object.fromEntries(names.map((name) => [name, (params: readonly unknown[]) => call(name, ...params)])),
  );
  const url = await server.listen(0, '127.0.0.1');
  return {
    url,
    call,
    restart: () => {
      methods = createMethods(new Bank(Journal.open(file)));
    },
    close: () => server.close(),
  };
}
