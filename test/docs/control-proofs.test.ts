import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { decoderOf } from '../../chains/decoders';
import type { FleetCurve } from '../../domain/fleets';
import { NETWORK_NAMES } from '../../domain/networks';
import { CONTROL_PROOF_PREFIX, controlProofMessage } from '../../platform/fleets/control-proofs';
import { verifiedSignature } from '../../platform/fleets/fleet-signatures';
import { temporaryFolder } from '../signer/fixtures';

const ROOT = join(__dirname, '..', '..');
const folder = temporaryFolder();
afterAll(() => folder.remove());

const Proof = z.object({
  walletId: z.string(),
  network: z.enum(NETWORK_NAMES),
  address: z.string(),
  curve: z.enum(['secp256k1', 'ed25519']),
  publicKey: z.string(),
  statement: z.string(),
  signature: z.string(),
});
/** Made with Python's `cryptography`, and the addresses with viem and Base58 by hand: the device's code was not involved. */
const VECTORS = z
  .object({
    place: z.object({ orgId: z.string(), storeId: z.string(), groupId: z.string(), dateIssued: z.string() }),
    proofs: z.array(Proof),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'test', 'vectors', 'control-proofs.json'), 'utf8')));

const SIGNED: Readonly<Record<FleetCurve, (bytes: Buffer) => Buffer>> = {
  secp256k1: (bytes) => createHash('sha256').update(bytes).digest(),
  ed25519: (bytes) => bytes,
};

test.each(VECTORS.proofs)('a proof on $curve by another library is a proof here', (proof) => {
  const { network, address, curve, publicKey, statement, signature } = proof;
  expect(statement).toBe(`${CONTROL_PROOF_PREFIX}${controlProofMessage(VECTORS.place, proof)}`);
  expect(decoderOf(network).addressOf(publicKey)).toBe(address);
  expect(verifiedSignature({ curve, publicKey }, SIGNED[curve](Buffer.from(statement)), signature)).toBeDefined();
});

/** The exit code of the example, and the words before the addresses. */
function verdictsOn(proofs: typeof VECTORS.proofs): readonly [number | null, readonly string[]] {
  const file = join(folder.path, 'group.json');
  writeFileSync(file, JSON.stringify({ ...VECTORS, proofs }));
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'docs', 'examples', 'control-proofs.mjs'), file], {
    encoding: 'utf8',
  });
  return [
    status,
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/ \S+: .*/, '')),
  ];
}

test('the example of the page tells a proof from a changed one', () => {
  const { proofs } = VECTORS;
  expect(verdictsOn(proofs)).toEqual([0, ['proven', 'proven']]);
  const changes = [
    ({ statement, ...rest }: z.infer<typeof Proof>) => ({ ...rest, statement: `${statement}.` }),
    ({ statement, ...rest }: z.infer<typeof Proof>) => ({ ...rest, statement: statement.replace(CONTROL_PROOF_PREFIX, '') }),
    (proof: z.infer<typeof Proof>) => ({ ...proof, address: '0x0000000000000000000000000000000000000001' }),
    (proof: z.infer<typeof Proof>) => ({ ...proof, signature: '11'.repeat(64) }),
  ];
  for (const change of changes) expect(verdictsOn(proofs.map(change))).toEqual([1, ['NOT PROVEN', 'NOT PROVEN']]);
});
