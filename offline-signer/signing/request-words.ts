import { findNetwork } from '../../chains/networks';
import { inWholeUnits } from '../../domain/amounts';
import { plain } from '../../operator/charters/plain';
import type { SignRequest } from '../../platform/fleets/inputs';
import { amountWords } from '../../verify/content/amount-words';
import type { JudgedRequest } from './judged-request';

const GROUPED_CHARS = 4;
/** An address in groups of four characters, which two people can compare aloud. The first group keeps a prefix. */
export function grouped(address: string): string {
  const prefix = address.startsWith('0x') ? '0x ' : '';
  const rest = plain(prefix === '' ? address : address.slice(2));
  return prefix + (rest.match(new RegExp(`.{1,${GROUPED_CHARS}}`, 'gu')) ?? []).join(' ');
}

function networkWords(name: string | undefined): string {
  const network = name === undefined ? undefined : findNetwork(name);
  if (!network) return 'none: the content does not name a network';
  return `${network.name} (${network.isMainnet ? 'MAINNET, real money' : 'test network'})`;
}

function effectLines({ effect, network = '', isMessage }: JudgedRequest): readonly string[] {
  if (isMessage) return [];
  if (!effect) return ['Moves: UNKNOWN. The bytes do not show who receives which amount.'];
  const { asset, recipients, amountUnits, tokenId } = effect;
  const paid = recipients.map((one) => `To: ${grouped(one)}`);
  return [
    ...(paid.length > 0 ? paid : ['To: the sender itself']),
    `Amount: ${amountWords({ network, asset, units: amountUnits.toString() })}`,
    ...(tokenId === undefined ? [] : [`Token: number ${tokenId}`]),
  ];
}

function feeLines({ feeUnits, network: name = '' }: JudgedRequest): readonly string[] {
  const network = findNetwork(name);
  const { native } = feeUnits;
  const others = Object.keys(feeUnits).filter((asset) => asset !== 'native');
  if (!network || native === undefined) return [];
  const { symbol, decimals } = network.nativeAsset;
  const charged = others.map((asset) => `, charged in the token ${plain(asset)}`).join('');
  return [`Fee at most: ${inWholeUnits(native.toString(), decimals)} ${symbol}${charged}`];
}

export type PageOf = {
  readonly request: SignRequest;
  readonly judged: JudgedRequest;
  readonly from: string;
  /** Lines about the request that this one replaces. */
  readonly replaced: readonly string[];
  /** Lines about who asked and who approved. */
  readonly people: readonly string[];
};

/** One page of the screen: everything that a person must read before the device signs the request. */
export function requestPage({ request, judged, from, replaced, people }: PageOf, at: number, all: number): readonly string[] {
  const { operationId, requestId, key } = request;
  return [
    `Request ${at + 1} of ${all}`,
    `Operation ${operationId}, request ${requestId}`,
    ...replaced.map(plain),
    `Network: ${networkWords(judged.network)}`,
    `From: ${grouped(from)} (key ${key.curve} ${key.index})`,
    ...effectLines(judged),
    ...feeLines(judged),
    ...judged.details.map(plain),
    ...people.map(plain),
  ];
}
