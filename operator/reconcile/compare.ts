import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import { requestBehind, sponsorRequestId } from '../../domain/fee-sponsors';
import { ID_PREFIXES } from '../../domain/ids';
import type { AllRows } from '../../entities/backup/all-rows';
import { createChains } from './chains';
import { usedBy } from './families';
import type { SignedUse } from './family-evidence';
import { PAYLOADS, type PayloadRow } from './payloads';
import { plainSignature, type SignedEntry } from './signed';

/** A contradiction between rows, signing log and chains. */
export type Finding = {
  /**
   * `Forgotten`: the signing log contains the request, but the rows do not. `Behind`: the signing log contains the request, but
   * the row has no signature and is not in a state of `GOES_ON`. `NotLogged`: the row contains signed bytes that are missing from
   * the log. `Unreturned`: a device was asked to sign, no signature has come back, and the chain has used the nonce or coin in a
   * way that neither rows nor log explain. `ForeignNonce`, `ForeignSpend`, `ForeignSignature`: the chain shows the use of a nonce, a coin or a key that neither
   * rows nor log contain. `ChainSilent`: the nodes do not respond, or do not agree.
   */
  readonly kind:
    | 'Forgotten'
    | 'Behind'
    | 'NotLogged'
    | 'Unreturned'
    | 'ForeignNonce'
    | 'ForeignSpend'
    | 'ForeignSignature'
    | 'ChainSilent';
  readonly orgId: string | null;
  readonly requestId: string | null;
  readonly intentId: string | null;
  /**
   * The claims (reserved nonces and coins) of the signed bytes. A finding about a sender contains the sender's network and
   * address instead, and the coin or the signature if there is one.
   */
  readonly claim: string | null;
  readonly dateSigned: string | null;
  /**
   * Who has signed. `Vouched`: the signer has released the request to an offline device, and no signature is known. `AtDevice`: a
   * device has signed, and the signer has not recorded the signatures. `Recorded`: the signer has recorded them. Null for a finding
   * about a sender.
   */
  readonly by: 'Signer' | 'Vouched' | 'AtDevice' | 'Recorded' | null;
  /** Null if there is no row. */
  readonly state: string | null;
  readonly chain: 'Used' | 'Open' | 'Unknown';
};

export type Comparison = {
  readonly signatures: number;
  readonly payloads: number;
  readonly senders: number;
  readonly findings: readonly Finding[];
};

type Row = {
  readonly id: string;
  readonly state: string;
  readonly isSigned: boolean;
  /** Another transaction has used up the nonce or coins of the request. */
  readonly isReplaced: boolean;
  /** Signatures of a device that the service has received. */
  readonly made: readonly { readonly r: string; readonly s: string }[] | null;
};
type Sender = { readonly network: string; readonly address: string };

const ASKED_AT_ONCE = 500;
/** In these states the worker sends the order again, and the signer returns the same signature. */
const GOES_ON = new Set(['Signing']);
const OF_CALLER = `${ID_PREFIXES.signature}-`;

const ROWS = `
  SELECT t.id, t.state, p.raw_hex IS NOT NULL AS "isSigned", coalesce(p.state = 'Replaced', false) AS "isReplaced",
         o.signatures AS made FROM transfers t
  LEFT JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id
  LEFT JOIN offline_requests o ON o.org_id = t.org_id AND o.request_id = t.id WHERE t.id = ANY($1)
  UNION ALL SELECT s.id, s.state, s.date_signed IS NOT NULL, false, o.signatures FROM signatures s
  LEFT JOIN offline_requests o ON o.org_id = s.org_id AND o.request_id = s.id WHERE s.id = ANY($1)
  UNION ALL SELECT f.id, 'Kept', true, false, NULL FROM forgotten_payments f WHERE f.id = ANY($1)`;
const SENDERS = `SELECT DISTINCT network, address FROM wallets WHERE address IS NOT NULL ORDER BY 1, 2`;

export async function compare(
  rows: AllRows,
  log: readonly SignedEntry[],
  readers: ReturnType<typeof createReaders>,
): Promise<Comparison> {
  const senders = (await rows.select<Sender>(SENDERS)).flatMap(({ network: name, address }) => {
    const network = findNetwork(name);
    return network ? [{ network, address }] : [];
  });
  const chains = createChains(
    readers,
    senders.map(({ network }) => network),
  );
  const usedOf = usedByLogged(log);
  const findings: Finding[] = [];
  for (const { claims = [], signature } of log) chains.know({ claims, signatures: signature === undefined ? [] : [signature] });
  const unreturned: SignedEntry[] = [];
  const explained = new Set(log.flatMap(({ by, claims = [] }) => (by === 'Vouched' ? [] : claims)));
  for (let at = 0; at < log.length; at += ASKED_AT_ONCE) {
    const some = log.slice(at, at + ASKED_AT_ONCE);
    const found = await rows.select<Row>(ROWS, [some.map(({ requestId }) => requestBehind(requestId))]);
    // A transaction that an earlier reconciliation recorded is treated as known, even if the row of its request is unsigned.
    const known = new Map([...found].sort((a, b) => Number(a.isSigned) - Number(b.isSigned)).map((row) => [row.id, row]));
    for (const signed of some) {
      const row = known.get(requestBehind(signed.requestId));
      const by = signerOf(signed, row);
      if (by === 'AtDevice') chains.know({ claims: [], signatures: [plainSignature(row?.made ?? []) ?? []].flat() });
      const kind = disagreement(row, by);
      if (kind !== undefined)
        findings.push({ ...placeOf(signed), kind, by, state: row?.state ?? null, chain: await chains.standing(usedOf(signed)) });
      else if (by === 'Vouched' && row && GOES_ON.has(row.state)) unreturned.push(signed);
    }
  }
  const logged = new Set(log.map(({ requestId }) => requestId));
  let payloads = 0;
  for await (const payload of rows.each<PayloadRow>(PAYLOADS)) {
    payloads += 1;
    const used = usedBy(payload);
    chains.know(used);
    for (const claim of used.claims) explained.add(claim);
    if (logged.has(payload.transferId)) continue;
    const { orgId, transferId: requestId, dateSigned, state } = payload;
    const at = {
      orgId,
      requestId,
      intentId: null,
      claim: wordOf(used.claims),
      dateSigned: dateSigned?.toISOString() ?? null,
      state,
    };
    findings.push({ kind: 'NotLogged', ...at, by: null, chain: await chains.standing(used) });
  }
  for (const signed of unreturned) {
    if ((signed.claims ?? []).some((claim) => explained.has(claim))) continue;
    const chain = await chains.standing(usedOf(signed));
    if (chain === 'Used') findings.push({ ...placeOf(signed), kind: 'Unreturned', by: 'Vouched', state: 'Signing', chain });
  }
  const nothing = { orgId: null, requestId: null, intentId: null, dateSigned: null, by: null, state: null };
  for (const { network, address } of senders)
    for (const { kind, claim } of await chains.judge(network, address))
      findings.push({ kind, ...nothing, claim, chain: kind === 'ChainSilent' ? 'Unknown' : 'Used' });
  return { signatures: log.length, payloads, senders: senders.length, findings };
}

function signerOf({ by }: SignedEntry, row: Row | undefined): NonNullable<Finding['by']> {
  if (by === 'Vouched' && row !== undefined && row.made !== null) return 'AtDevice';
  return by === 'Device' ? 'Recorded' : by;
}

/** Undefined if row and log agree. */
function disagreement(row: Row | undefined, by: NonNullable<Finding['by']>): 'Forgotten' | 'Behind' | 'NotLogged' | undefined {
  if (row === undefined) return 'Forgotten';
  // The service stores signed bytes only after the signer has recorded the signatures of the device.
  if (row.isSigned) return by === 'AtDevice' ? 'NotLogged' : undefined;
  if (GOES_ON.has(row.state)) return undefined;
  // A request that no device has signed ends once another transaction has used up its nonce or coins.
  return row.isReplaced && by !== 'Signer' ? undefined : 'Behind';
}

/**
 * The chain identifies a sponsored transaction by the signature of the sponsor. A signature that a caller requested might not
 * belong to a transaction, so the chain is searched for it only if its log entry contains claims.
 */
function usedByLogged(log: readonly SignedEntry[]): (signed: SignedEntry) => SignedUse {
  const sponsors = new Map(log.map(({ requestId, signature }) => [requestId, signature]));
  return ({ requestId, claims, signature }) => {
    const first = sponsors.get(sponsorRequestId(requestId)) ?? signature;
    const isTransaction = claims !== undefined || !requestId.startsWith(OF_CALLER);
    return { claims: claims ?? [], signatures: isTransaction && first !== undefined ? [first] : [] };
  };
}

const wordOf = (claims: readonly string[]): string | null => (claims.length === 0 ? null : claims.join(', '));

const placeOf = ({ orgId, requestId, intentId, claims = [], at }: SignedEntry) => ({
  orgId,
  requestId,
  intentId: intentId ?? null,
  claim: wordOf(claims),
  dateSigned: at,
});
