import { randomBytes } from 'node:crypto';
import type { Database } from '../../entities/database';
import { signerAnchorStore } from '../../entities/deployment/signer-anchor.store';
import { challengeOf, NONCE_BYTES } from '../../platform/action-challenge';
import { sha256Hex } from '../../platform/digests';
import type { SignerClient, SignTransferOrder } from '../../signer/protocol';
import { createAnchors } from '../../signer/record/anchors';
import type { Evidence } from '../../signer/record/evidence';
import { waitUntil } from '../support/wait-until';
import type { Office, Person } from './installation';
import { AMOUNT } from './ledger';

const MINUTE_MS = 60_000;
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;
const refused = (reason: string) => ({ code: 'SignerRefused', details: expect.objectContaining({ reason }) });
type Initiator = Extract<Evidence, { readonly kind: 'Initiator' | 'Approver' }>;
type Blind = { readonly anchor: string | null; readonly expiresMs?: number };

type Loot = {
  readonly office: Office;
  readonly signer: SignerClient;
  readonly db: Database;
  /** An order without evidence, for a new wallet whose transfers no policy holds. */
  readonly newOrder: () => Promise<{ readonly walletId: string; readonly order: SignTransferOrder }>;
};

/** The attacker also writes the challenges, and people sign these challenges without reading them. */
export function blindActions(loot: () => Loot): void {
  /** Signs, as the person's own client does, a challenge that the attacker made for a transfer of the wallet. */
  const signedBlindly = async (by: Person, walletId: string, to: string, { anchor, expiresMs }: Blind): Promise<Initiator> => {
    const { db, office } = loot();
    const sql = 'SELECT id, public_key AS "publicKey" FROM credentials WHERE user_id = $1';
    const [credential] = await db.read(office.orgId).select<{ id: string; publicKey: string }>(sql, [by.userId]);
    if (!credential) throw new Error('the person has no key');
    const body = JSON.stringify({ kind: 'Native', to, amount: AMOUNT.toString() });
    const nonce = randomBytes(NONCE_BYTES);
    const dateExpires = new Date(expiresMs ?? Date.now() + 10 * MINUTE_MS);
    const signed = {
      ...{ userId: by.userId, credentialIds: [by.key.credId], method: 'POST', path: `/wallets/${walletId}/transfers` },
      ...{ bodySha256: sha256Hex(body), approvalDigest: null },
    };
    const challenge = challengeOf(nonce, { ...signed, orgId: office.orgId, dateExpires, anchor });
    const { credentialAssertion } = by.client.factor(challenge) as { credentialAssertion: Record<string, string> };
    return {
      ...{ kind: 'Initiator', ...signed, ...(anchor === null ? {} : { anchor }) },
      ...{ credentialId: credential.id, dateExpires: dateExpires.toISOString(), nonce: nonce.toString('base64url'), challenge },
      ...{ firstFactorKind: 'Key', publicKey: credential.publicKey, authenticatorData: null, secondFactor: null, body },
      clientData: credentialAssertion['clientData'] ?? null,
      signature: credentialAssertion['signature'] ?? null,
    };
  };
  const outcome = async (blind: Blind) => {
    const { office, signer } = loot();
    const { walletId, order } = await loot().newOrder();
    const evidence = [await signedBlindly(office.ada, walletId, order.intent.to, blind)];
    return signer.signTransfer({ ...order, evidence });
  };
  const fresh = async () => (await loot().signer.anchor()).anchor;

  test('a known limit of SECURITY.md: the signer accepts an action that a person signs blindly under a fresh anchor', async () => {
    await expect(outcome({ anchor: await fresh() })).resolves.toBeDefined();
  });

  test('an action that expires in 2099 is signed neither now nor later', async () => {
    const expiresMs = Date.parse('2099-01-01T00:00:00.000Z');
    await expect(outcome({ anchor: await fresh(), expiresMs })).rejects.toMatchObject(refused('ActionMismatch'));
    await expect(outcome({ anchor: null, expiresMs })).rejects.toMatchObject(refused('ActionMismatch'));
  });

  test('no action can be kept for later: without an anchor, with an empty anchor, with one dated next month, or with one from a clone', async () => {
    const { signer } = loot();
    const { signerId } = await signer.health();
    const clone = createAnchors({ signerId, key: randomBytes(32) });
    const [form, id, timeMs, mac] = (await fresh()).split('.');
    const later = [form, id, Number(timeMs) + MONTH_MS, mac].join('.');
    for (const anchor of [null, later, clone.make(Date.now()), clone.make(Date.now() + MONTH_MS), ''])
      await expect(outcome({ anchor })).rejects.toMatchObject(refused('ActionNotAnchored'));
  });

  test('the signer refuses actions with an anchor that the attacker wrote into the database', async () => {
    const { db, office } = loot();
    const { walletId } = await loot().newOrder();
    const announced = async (): Promise<unknown> => {
      await db.withOrg('', (tx) => tx.query(`UPDATE signer_anchors SET anchor = 'mine', date_asked = clock_timestamp()`));
      const answer = await office.ada.client.announce('POST', `/wallets/${walletId}/transfers`, '{}');
      return (answer.body as { readonly commitment: { readonly anchor?: string } }).commitment.anchor;
    };
    // The honest worker overwrites the anchor every five seconds, perhaps between the update and the request.
    let anchor = await announced();
    for (let tries = 0; anchor !== 'mine' && tries < 5; tries += 1) anchor = await announced();
    expect(anchor).toBe('mine');
    await expect(outcome({ anchor: 'mine' })).rejects.toMatchObject(refused('ActionNotAnchored'));
    // Until the worker overwrites the anchor, the signer would refuse every action in the tests that follow.
    await waitUntil(
      'an anchor of the signer',
      async () => (await signerAnchorStore.now(db.read(''), MINUTE_MS)).anchor !== 'mine',
    );
  });
}
