import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import { requestBehind } from '../../domain/fee-sponsors';
import type { AllRows } from '../../entities/backup/all-rows';
import { createNonces } from './nonces';
import type { Signed } from './signed';

/** What rows, signing log and chains do not agree on. */
export type Finding = {
  /**
   * `Forgotten`: signed, and the rows know nothing of it. `Behind`: signed, and the row stands where nothing is signed. `NotLogged`: the row holds signed bytes,
   * and the log says nothing of them. `ForeignNonce`: the chain used nonces that neither knows. `ChainSilent`: no node answered.
   */
  readonly kind: 'Forgotten' | 'Behind' | 'NotLogged' | 'ForeignNonce' | 'ChainSilent';
  readonly orgId: string | null;
  readonly requestId: string | null;
  readonly intentId: string | null;
  /** Network, sender and nonce, or network and sender. */
  readonly claim: string | null;
  readonly dateSigned: string | null;
  /** Where the row stands. */
  readonly state: string | null;
  readonly chain: 'Used' | 'Open' | 'Unknown';
};

export type Comparison = {
  readonly signatures: number;
  readonly payloads: number;
  readonly senders: number;
  readonly findings: readonly Finding[];
};

type Row = { readonly id: string; readonly state: string; readonly isSigned: boolean };

const ASKED_AT_ONCE = 500;
/** In these the order is given again, and answered with the same signature. */
const GOES_ON = new Set(['Signing']);

const ROWS = `
  SELECT t.id, t.state, p.raw_hex IS NOT NULL AS "isSigned" FROM transfers t
  LEFT JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id WHERE t.id = ANY($1)
  UNION ALL SELECT s.id, s.state, s.date_signed IS NOT NULL FROM signatures s WHERE s.id = ANY($1)
  UNION ALL SELECT f.id, 'Kept', true FROM forgotten_payments f WHERE f.id = ANY($1)`;
const PAYLOADS = `
  SELECT org_id AS "orgId", transfer_id AS "transferId", network, from_address AS "fromAddress",
         CASE WHEN context ->> 'nonceKey' IS NULL THEN nonce::text
           ELSE (context ->> 'nonceKey') || ':' || (context ->> 'keyedNonce') END AS nonce, state,
         date_signed AS "dateSigned" FROM payloads WHERE raw_hex IS NOT NULL ORDER BY id`;
const SENDERS = `SELECT DISTINCT network, address FROM wallets WHERE address IS NOT NULL ORDER BY 1, 2`;

type PayloadRow = {
  readonly orgId: string;
  readonly transferId: string;
  readonly network: string;
  readonly fromAddress: string;
  /** In a lane of Tempo behind its key and a colon. */
  readonly nonce: string | null;
  readonly state: string;
  readonly dateSigned: Date | null;
};

/** Compares all three; reads and changes nothing. */
export async function compare(
  rows: AllRows,
  log: readonly Signed[],
  readers: ReturnType<typeof createReaders>,
): Promise<Comparison> {
  const nonces = createNonces(readers);
  const findings: Finding[] = [];
  for (const { claim } of log) if (claim !== undefined) nonces.know(claim);
  for (let at = 0; at < log.length; at += ASKED_AT_ONCE) {
    const some = log.slice(at, at + ASKED_AT_ONCE);
    const found = await rows.select<Row>(ROWS, [some.map(({ requestId }) => requestBehind(requestId))]);
    // What an earlier reconciliation has written down is known, wherever its row stands.
    const known = new Map([...found].sort((a, b) => Number(a.isSigned) - Number(b.isSigned)).map((row) => [row.id, row]));
    for (const signed of some) {
      const row = known.get(requestBehind(signed.requestId));
      if (row && (row.isSigned || GOES_ON.has(row.state))) continue;
      findings.push({
        ...placeOf(signed),
        kind: row ? 'Behind' : 'Forgotten',
        state: row?.state ?? null,
        chain: await nonces.standing(signed.claim),
      });
    }
  }
  const logged = new Set(log.map(({ requestId }) => requestId));
  let payloads = 0;
  for await (const payload of rows.each<PayloadRow>(PAYLOADS)) {
    payloads += 1;
    const claim = `${payload.network} ${payload.fromAddress.toLowerCase()} ${payload.nonce}`;
    nonces.know(claim);
    if (logged.has(payload.transferId)) continue;
    const { orgId, transferId: requestId, dateSigned, state } = payload;
    const at = { orgId, requestId, intentId: null, claim, dateSigned: dateSigned?.toISOString() ?? null, state };
    findings.push({ kind: 'NotLogged', ...at, chain: await nonces.standing(claim) });
  }
  const senders = await rows.select<{ network: string; address: string }>(SENDERS);
  let asked = 0;
  for (const { network, address } of senders) {
    if (!findNetwork(network)) continue;
    asked += 1;
    const kind = await nonces.judge(network, address);
    if (kind === undefined) continue;
    const nothing = { orgId: null, requestId: null, intentId: null, dateSigned: null, state: null };
    findings.push({
      kind,
      ...nothing,
      claim: `${network} ${address.toLowerCase()}`,
      chain: kind === 'ForeignNonce' ? 'Used' : 'Unknown',
    });
  }
  return { signatures: log.length, payloads, senders: asked, findings };
}

const placeOf = ({ orgId, requestId, intentId, claim, at }: Signed) => ({
  orgId,
  requestId,
  intentId: intentId ?? null,
  claim: claim ?? null,
  dateSigned: at,
});
