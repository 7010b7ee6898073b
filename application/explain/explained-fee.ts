import { feeSymbolsOf, networkOf } from '../../chains/networks';
import { inWholeUnits } from '../../domain/amounts';
import type { NetworkName } from '../../domain/networks';
import type { Reader } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { ExplainedFee } from './explanation';
import { listInWords } from './words';

export async function feeOfTransfer(
  reader: Reader,
  { network, feeCeilingUnits, options, feeSponsorId, sponsorAddress }: OutgoingEntity,
): Promise<ExplainedFee> {
  const sponsor = feeSponsorId === null ? undefined : await feeSponsorStore.find(reader, feeSponsorId);
  return {
    ...ceilingOn(network, feeCeilingUnits, options.feeCurrency),
    sponsor: feeSponsorId === null ? null : { feeSponsorId, name: sponsor?.name ?? null, address: sponsorAddress },
  };
}

/** Null unless the service fills in open members of a transaction before signing. */
export const feeOfSignature = ({ payload }: SignatureEntity): ExplainedFee | null =>
  payload.kind === 'OpenEvmTransaction'
    ? { ...ceilingOn(payload.network, payload.feeCeilingUnits, payload.terms.call.feeCurrency), sponsor: null }
    : null;

function ceilingOn(name: NetworkName, ceilingUnits: string, named: string | undefined) {
  const network = networkOf(name);
  return { ceilingUnits, decimals: network.nativeAsset.decimals, symbols: feeSymbolsOf(network, named) };
}

export function feeInWords({ ceilingUnits, decimals, symbols, sponsor }: ExplainedFee): string {
  const fee = `Its fee is at most ${inWholeUnits(ceilingUnits, decimals)} ${listInWords(symbols, 'or')}`;
  if (!sponsor) return `${fee}.`;
  const { feeSponsorId, name, address } = sponsor;
  const who = name === null ? feeSponsorId : `${name} (${feeSponsorId})`;
  return `${fee}, paid by the fee sponsor ${who}${address === null ? '' : ` from ${address}`}.`;
}
