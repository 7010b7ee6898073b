import { solanaCodecOf } from '../../chains/codecs';
import type { SolanaReader, SplProgram } from '../../chains/solana/types';
import type { NetworkName } from '../../domain/networks';

type Holding = { readonly program: SplProgram; readonly units: bigint };

const PROGRAMS: readonly SplProgram[] = ['Spl', 'Spl2022'];

/**
 * The balances of an address, by mint. A mint belongs to one of the two token programs, so at most one of the two possible
 * associated token accounts exists.
 */
export async function solanaHoldings(
  reader: SolanaReader,
  network: NetworkName,
  address: string,
  mints: readonly string[],
): Promise<ReadonlyMap<string, Holding>> {
  const codec = solanaCodecOf(network);
  const asked = mints.flatMap((mint) => PROGRAMS.map((program) => ({ mint, program })));
  const places = await Promise.all(asked.map(({ mint, program }) => codec.associatedTokenAddress(address, mint, program)));
  const accounts = await reader.tokenAccounts(places);
  return new Map(
    asked.flatMap(({ mint, program }, index) => {
      const account = accounts[index];
      const isOurs = account?.owner === address && account.mint === mint && account.program === program;
      return isOurs ? [[mint, { program, units: account.units }] as const] : [];
    }),
  );
}
