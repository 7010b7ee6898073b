import type { HashChain } from '../domain/hash-chains';
import { isCheckpointOf, readCheckpoint } from '../platform/chain-checkpoint';
import type { ChainPosition } from '../platform/hash-chain';
import { WitnessLine } from '../platform/witness-line';
import { line } from './content/content-words';
import { assertVerified, NotVerified } from './not-verified';
import { textLines } from './read-file';

type Witness = {
  readonly chain: HashChain;
  readonly organization: string;
  readonly signerKey: string;
  readonly file: string;
};
type Shown = { readonly known: readonly ChainPosition[]; readonly head: ChainPosition };

function parsed(text: string): WitnessLine | undefined {
  try {
    return WitnessLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Compares what the service shows with every witnessed checkpoint that lies within `known` or beyond the head. Throws
 * `NotVerified` if the service shows a past that differs from the witness's past, or that ends earlier. A crash of the worker can
 * leave an incomplete line, which is only counted. Lines of other chains and organisations are left out.
 */
export function witnessLines({ known, head }: Shown, { chain, organization, signerKey, file }: Witness): readonly string[] {
  const hashes = new Map(known.map(({ sequence, hash }) => [sequence, hash]));
  let [kept, compared, unreadable] = [0, 0, 0];
  for (const text of textLines(file)) {
    const one = parsed(text);
    if (!one) unreadable += 1;
    const said = one?.chain === chain ? readCheckpoint(chain, one.statement) : undefined;
    if (!one || said?.organizationId !== organization) continue;
    kept += 1;
    const { sequence, dateSigned } = said;
    const hash = hashes.get(sequence);
    if (hash === undefined && sequence <= head.sequence) continue;
    assertVerified(
      isCheckpointOf(chain, signerKey, one),
      `No signer with this key made the witnessed checkpoint ${sequence}. Ask the keeper of the witness.`,
    );
    if (hash === undefined)
      throw new NotVerified(
        `CUT: the signer attested the position ${sequence} at ${dateSigned}, and the service shows only ${head.sequence}. Tell the operator.`,
      );
    assertVerified(
      hash === said.hash,
      `REBUILT: the position ${sequence} had another hash when the signer attested it at ${dateSigned}. Tell the operator.`,
    );
    compared += 1;
  }
  return [
    line('Witness', `${kept} checkpoints, ${compared} of them within this file`),
    ...(unreadable === 0 ? [] : [`NOT VERIFIED: ${unreadable} lines of the witness, which cannot be read.`]),
    ...(compared === 0 ? ['NOT VERIFIED: this file by the witness, which has no checkpoint within it.'] : []),
  ];
}
