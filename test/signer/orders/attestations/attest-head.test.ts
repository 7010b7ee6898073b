import { isAttestedBy } from '../../../../platform/address-attestation';
import { isCheckpointOf, readCheckpoint } from '../../../../platform/chain-checkpoint';
import { NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../../fixtures';

const OTHER_ORG = 'or-00000-00000-0000000000000002';
const [HASH, OTHER_HASH] = ['ab'.repeat(32), 'cd'.repeat(32)];

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path);
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const attest = (sequence: number, hash = HASH, orgId = ORG) => signer.attestFeed({ orgId, sequence, hash });

test('the signer attests the given head with its key for attestations', async () => {
  const signed = await attest(7);
  expect(readCheckpoint('feed', signed.statement)).toEqual({
    v: 1,
    signerId: signer.health().signerId,
    organizationId: ORG,
    sequence: 7,
    hash: HASH,
    dateSigned: new Date(NOW_MS).toISOString(),
  });
  const key = signer.attestor.publicKeyHex;
  expect(isCheckpointOf('feed', key, signed)).toBe(true);
  expect(isCheckpointOf('feed', '11'.repeat(32), signed)).toBe(false);
  expect(isCheckpointOf('feed', key, { ...signed, statement: signed.statement.replace('"sequence":7', '"sequence":8') })).toBe(
    false,
  );
});

test('a checkpoint is not accepted as an attestation of an address', async () => {
  const { statement, signature } = await attest(7);
  expect(isAttestedBy(signer.attestor.publicKeyHex, { attestation: statement, signature })).toBe(false);
});

test('a checkpoint of the audit log states its chain, and neither chain is accepted as the other', async () => {
  const key = signer.attestor.publicKeyHex;
  const [feed, audit] = [await attest(7), await signer.attestAuditLog({ orgId: ORG, sequence: 7, hash: HASH })];
  expect(readCheckpoint('audit', audit.statement)).toMatchObject({
    chain: 'audit',
    organizationId: ORG,
    sequence: 7,
    hash: HASH,
  });
  expect([readCheckpoint('feed', audit.statement), readCheckpoint('audit', feed.statement)]).toEqual([undefined, undefined]);
  expect([isCheckpointOf('audit', key, audit), isCheckpointOf('feed', key, feed)]).toEqual([true, true]);
  expect([isCheckpointOf('feed', key, audit), isCheckpointOf('audit', key, feed)]).toEqual([false, false]);
  // The signature over a feed’s statement, with the statement changed to that of an audit log.
  const renamed = { statement: feed.statement.replace(/}$/, ',"chain":"audit"}'), signature: feed.signature };
  expect(readCheckpoint('audit', renamed.statement)).toBeDefined();
  expect(isCheckpointOf('audit', key, renamed)).toBe(false);
});

test('the attested position of the audit log never goes back, whatever the feed does', async () => {
  const attestLog = (sequence: number, hash = HASH) => signer.attestAuditLog({ orgId: ORG, sequence, hash });
  await attest(9);
  await attestLog(7);
  await attestLog(7);
  await expect(attestLog(6)).rejects.toThrow(refusedAs('AuditLogGoesBack'));
  await expect(attestLog(7, OTHER_HASH)).rejects.toThrow(refusedAs('AuditLogGoesBack'));
  expect(readCheckpoint('audit', (await attestLog(8, OTHER_HASH)).statement)).toMatchObject({ sequence: 8 });
});

test('the attested position of a feed never goes back, and each organisation has its own feed', async () => {
  const first = await attest(7);
  expect(await attest(7)).toEqual(first);
  await expect(attest(6)).rejects.toThrow(refusedAs('FeedGoesBack'));
  await expect(attest(7, OTHER_HASH)).rejects.toThrow(refusedAs('FeedGoesBack'));
  expect(readCheckpoint('feed', (await attest(1, OTHER_HASH, OTHER_ORG)).statement)).toMatchObject({ organizationId: OTHER_ORG });
  expect(readCheckpoint('feed', (await attest(8, OTHER_HASH)).statement)).toMatchObject({ sequence: 8, hash: OTHER_HASH });
});

test('a restart forgets the positions, and the journal does not grow', async () => {
  const before = signer.health();
  await attest(7);
  expect(signer.health()).toEqual(before);
  await signer.close();
  signer = await openOperations(folder.path);
  expect(readCheckpoint('feed', (await attest(6)).statement)).toMatchObject({ sequence: 6 });
});
