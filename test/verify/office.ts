import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organizationNow } from '../../application/charters/organization-now';
import { draftCharter } from '../../operator/charters/draft-charter';
import { type Charter, charterBytes, charterDigest } from '../../signer/charters/charter';
import { NotVerified } from '../../verify/not-verified';
import { trust } from '../../verify/trust';
import type { Own, Person } from '../support/api';
import { startTransferApi } from '../support/transfer-api';

type Content = Charter | string;

/** The real API with a held wallet, an operator who signs charters, and the folder of an approver's own machine. */
export async function openOffice(options: Own = {}) {
  const transfers = await startTransferApi(options);
  const { api, orgId, admin, request } = transfers;
  const approver = await api.createPerson(orgId, { name: 'approver' });
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  const home = join(folder, 'home');
  const operator = generateKeyPairSync('ed25519');
  const operatorKey = operator.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  let files = 0;
  const put = (content: unknown, mode = 0o644): string => {
    files += 1;
    const path = join(folder, `file-${files}.json`);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
    return path;
  };
  const draft = async ({ membersAmend = false, waitHours = undefined as number | undefined } = {}): Promise<Charter> =>
    draftCharter(
      await organizationNow(api.database.db, orgId, { membersAmend, keysLeave: waitHours !== undefined, servesEndUsers: false }),
      { signerId: 'sgn-1', orgId, inForce: undefined, limits: undefined, waitHours },
      new Date(),
    ).charter;
  /** Writes a charter that is signed with the operator's key or with the given key. Returns the path. */
  const signed = (content: Content, key: KeyObject = operator.privateKey): string => {
    const charter = typeof content === 'string' ? content : JSON.stringify(content);
    return put({ charter, signature: signBytes(null, charterBytes(charter), key).toString('base64') });
  };
  const trusted = (charter: Charter, of = home) => trust({ home: of, charter: signed(charter), operatorKey }, new Date());
  const evidence = async (approvalId: string) => {
    const { status, body } = await approver.client.get(`/v2/policy-approvals/${approvalId}/evidence`);
    if (status !== 200) throw new Error(`getApprovalEvidence answered ${status}`);
    return body as Record<string, unknown>;
  };
  return {
    ...{ ...transfers, approver, folder, home, operator, operatorKey, put, draft, signed, trusted, evidence },
    /** A transfer that waits for its approval, with the file that describes the approval. */
    held: async (body: Readonly<Record<string, unknown>> = {}) => {
      const { id, approvalId = '' } = await request(body);
      return { transferId: id, approvalId, file: await evidence(approvalId) };
    },
    announced: async (approvalId: string, text = '{"value":"Approved"}', person: Person = approver) => {
      const { status, body } = await person.client.announce('POST', `/v2/policy-approvals/${approvalId}/decisions`, text);
      if (status !== 200) throw new Error(`init answered ${status}`);
      return body as Record<string, unknown>;
    },
    keyOf: (person: Person): string => put(person.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 0o600),
    read: (path: string) => readFileSync(path, 'utf8'),
    next: (charter: Charter, changes: Partial<Charter> = {}): Charter => ({
      ...charter,
      sequence: charter.sequence + 1,
      previous: charterDigest(JSON.stringify(charter)),
      ...changes,
    }),
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      await transfers.close();
    },
    admin,
  };
}
export type Office = Awaited<ReturnType<typeof openOffice>>;

/** Returns the message of a refusal. Throws if the call is not refused. */
export async function refusal(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof NotVerified) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
