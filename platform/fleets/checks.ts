/**
 * The checks of the output of a fleet operation, in the order in which they run. A refusal names the first check that failed, so
 * the names are part of the interface.
 */
export const FLEET_CHECKS = {
  Size: 'An output must not be longer than 4 MiB.',
  Form: 'Both parts of the output must have the published form, and the file must be canonical JSON.',
  Kind: 'The output must be of the kind of its group.',
  Organisation: 'The output must be for the organisation of its group.',
  Store: 'The output must be for the key store of its group.',
  Fleet: 'The output must be for the fleet of its group.',
  Group: 'Both parts of the output must name the group.',
  SignerIdentity: 'The online domain must be the signer that issued the input.',
  Operation: 'The output must contain no operation that the input did not ask for, and a ceremony must contain its operation.',
  InputDigest: 'The output must be for exactly the input that the service issued.',
  OutputDigest: 'The file must belong to the JSON part of the output.',
  Head: 'The input must continue the manifest that the store has committed.',
  DeviceIdentity: 'The device must be the device of the input, with the card of the manifest.',
  DeviceSignature: 'The device must have signed the file.',
  Excess: 'The output must not contain a manifest, keys or shares that its kind does not have.',
  ManifestChain: 'The next manifest must follow the committed manifest.',
  Members: 'The cards must be sound, and no member may change except as the operation demands.',
  Serial: 'The serial numbers must be those of the input.',
  Threshold: 'The number of provisioners who can recover the master secret must be as agreed.',
  MasterCommitment: 'The fleet must keep its master secret.',
  Ranges: 'The ranges of keys must grow by exactly the keys of the operation.',
  ManifestSignature: 'The acting device must have signed the manifest, and every signature must be by a member of the fleet.',
  ProvisionerQuorum: 'Enough provisioners of the committed manifest must have signed the next manifest.',
  OperatorSignature: 'An operator of the committed manifest must have signed the next manifest.',
  Registration: 'The registration must state what the file contains.',
  Boxes: 'Each provisioner must get exactly one share of each new division of the master secret.',
  Counts: 'The output must contain as many keys as the input asks for.',
  KeyRange: 'The indices of the keys must continue the range without a gap.',
  DuplicateKey: 'No key may appear twice.',
  KnownKey: 'A new key must not be known already.',
  Challenge: 'The new device must derive the keys that the service challenged.',
  ProofOfPossession: 'Each key must have a proof that the device has its secret.',
  Status: 'The status must be that of the operations.',
  Messages: 'An operation must contain one signature for each message of its request.',
  ExactBytes: 'The bytes that were signed must be the bytes of the request.',
  SignerKey: 'The public key must be the registered key of the request.',
  Signature: 'Each signature must be valid under the registered key, with the lower s on secp256k1.',
  SignerRecord: 'The signer must accept the proofs of control as well.',
} as const satisfies Readonly<Record<string, string>>;
export type FleetCheck = keyof typeof FLEET_CHECKS;

/** The output is refused as a whole. `place` says where the fault is, for example the key with its index. */
export class FleetFault extends Error {
  override readonly name = 'FleetFault';

  constructor(
    readonly check: FleetCheck,
    readonly place?: string,
  ) {
    super(place === undefined ? FLEET_CHECKS[check] : `${FLEET_CHECKS[check]} (${place})`);
  }
}

export function assertFleet(check: FleetCheck, condition: boolean, place?: string): asserts condition {
  if (!condition) throw new FleetFault(check, place);
}
