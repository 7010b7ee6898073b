// Verifies proofs of control with Node's own cryptography, and no package; docs/fleets.md explains the proofs.
//
//   node docs/examples/control-proofs.mjs GROUP.json
//
// GROUP.json is the response of GET /key-stores/{storeId}/fleet-operations/{groupId}. Check with a library of the network that
// each address belongs to its public key, and read the statements: only then do the proofs speak for the addresses.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SPKI = { secp256k1: '3036301006072a8648ce3d020106052b8104000a032200', ed25519: '302a300506032b6570032100' };
const DIGESTS = { secp256k1: 'sha256', ed25519: null };

for (const { address, curve, publicKey, statement, signature } of JSON.parse(readFileSync(process.argv[2], 'utf8')).proofs) {
  const key = createPublicKey({ key: Buffer.from(SPKI[curve] + publicKey, 'hex'), format: 'der', type: 'spki' });
  const bytes = Buffer.from(signature, 'hex');
  const isProof =
    statement.startsWith('strongroom proof of control, not a transaction: ') &&
    statement.includes(` address ${address} on `) &&
    verify(DIGESTS[curve], Buffer.from(statement, 'utf8'), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  process.stdout.write(`${isProof ? 'proven' : 'NOT PROVEN'} ${address}: ${statement}\n`);
  if (!isProof) process.exitCode = 1;
}
