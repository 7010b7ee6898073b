import { factsOf, networkOf } from '../../chains/networks';
import { inWholeUnits } from '../../domain/amounts';
import type { NetworkName } from '../../domain/networks';
import type { Reader } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { ExplainedFee } from './explanation';
import { listInWords } from './words';

/** The highest fee of a transfer, and who pays it in the wallet's place. */
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

/** The same of a transaction that is filled in before it is signed; null for every other signature. */
export const feeOfSignature = ({ payload }: SignatureEntity): ExplainedFee | null =>
  payload.kind === 'OpenEvmTransaction'
    ? { ...ceilingOn(payload.network, payload.feeCeilingUnits, payload.terms.call.feeCurrency), sponsor: null }
    : null;

/** Without a currency of its own the fee may be counted in the coin or in any token that pays fees there: one is chosen when the bytes are built. */
function ceilingOn(name: NetworkName, ceilingUnits: string, feeCurrency: string | undefined) {
  const network = networkOf(name);
  const { symbol, decimals } = network.nativeAsset;
  const chosen = factsOf(network).feeCurrencies.filter(({ contract }) => feeCurrency === undefined || contract === feeCurrency);
  const symbols = [...(feeCurrency === undefined ? [symbol] : []), ...chosen.map((one) => one.symbol)];
  return { ceilingUnits, decimals, symbols };
}

export function feeInWords({ ceilingUnits, decimals, symbols, sponsor }: ExplainedFee): string {
  const fee = `Its fee is at most ${inWholeUnits(ceilingUnits, decimals)} ${listInWords(symbols, 'or')}`;
  if (!sponsor) return `${fee}.`;
  const { feeSponsorId, name, address } = sponsor;
  const who = name === null ? feeSponsorId : `${name} (${feeSponsorId})`;
  return `${fee}, paid by the fee sponsor ${who}${address === null ? '' : ` from ${address}`}.`;
}
