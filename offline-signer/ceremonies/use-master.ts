import { Refused } from '../refused';
import type { Session } from '../session';

/** Wipes the master secret after use. Throws `Refused` if this machine has none. */
export async function useMaster<T>({ open }: Session, use: (master: Buffer) => T | Promise<T>): Promise<T> {
  const { master: hex } = open.state();
  if (hex === null) throw new Refused('This folder holds no master secret.');
  const master = Buffer.from(hex, 'hex');
  try {
    return await use(master);
  } finally {
    master.fill(0);
  }
}
