import { z } from 'zod';
import { plain } from '../operator/charters/plain';
import { isAttestedBy, readAttestation, SignedAttestation } from '../platform/address-attestation';
import { line, networkWords } from './content/content-words';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { jsonIn } from './read-file';

type Options = {
  readonly file: string;
  /** The signer's public key for attestations, in hex. */
  readonly signerKey: string;
  /** The address that the person was given, for a comparison with the attested address. */
  readonly address?: string | undefined;
};

const SIGNER_KEY = /^[0-9a-f]{64}$/;
/** The response of `GET /wallets/{walletId}/attestation`. The signer does not know wallet ids, so `walletId` is unproved. */
const File = z.strictObject({ walletId: z.string().max(64).optional(), ...SignedAttestation.shape });

/** The letter case of an EVM address is only a checksum. */
const isSame = (given: string, attested: string): boolean =>
  given === attested || (attested.startsWith('0x') && given.toLowerCase() === attested.toLowerCase());

/** Verifies the signer's attestation of an address, and shows its content. */
export function checkAddress({ file, signerKey, address }: Options): readonly string[] {
  if (!SIGNER_KEY.test(signerKey))
    throw new WrongUsage('--signer-key is 64 hex digits, from the operator and not from the service.');
  const { attestation, signature } = jsonIn(file, File, 'the attestation of an address');
  assertVerified(
    isAttestedBy(signerKey, { attestation, signature }),
    'No signer with this key made the attestation. Send nothing to the address, and tell the operator.',
  );
  const said = readAttestation(attestation);
  if (!said) throw new NotVerified('The attestation has a form that this program does not know. Get the newest program.');
  assertVerified(
    address === undefined || isSame(address, said.address),
    `The signer attests ANOTHER address than ${plain(address ?? '')}: ${plain(said.address)} on ${networkWords(said.network)}.`,
  );
  return [
    line('Address', plain(said.address)),
    line('Network', networkWords(said.network)),
    line('Organisation', plain(said.organizationId)),
    line('Key', `${plain(said.keyId)}, public key ${said.publicKey}`),
    line('Attested', said.dateAttested),
    ...(said.isKnownOutside
      ? [
          'KNOWN OUTSIDE: the key was imported or exported. Other holders of the key can move funds that are sent to this address.',
        ]
      : []),
    ...(said.holder
      ? [
          line('Holder', plain(said.holder.userId)),
          ...said.holder.credentials.map((fingerprint) => line('Credential', fingerprint)),
          'Under a charter, only the holder signs with this key, with one of these credentials. Compare them with the holder.',
        ]
      : []),
    'VERIFIED: the signer holds the key of this address for this organisation.',
  ];
}
