import { plain } from '../../operator/charters/plain';
import { evaluate } from '../../policy/evaluate';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { DeriveBody, ExportBody } from '../../signer/judging/people/judge-secret';
import { readSignedBody } from '../../signer/judging/requests/signed-body';
import { line, networkWords } from '../content/content-words';
import { NotVerified } from '../not-verified';
import { type Asking, type AskingWords, asSignerReads, walletAsked } from './asking';

/** The wallets that the key can empty. The charter need not contain any wallet of the key. */
export const keyLines = (charter: CharterInForce, keyId: string): readonly string[] => [
  line('Key', plain(keyId)),
  ...charter
    .walletsOfKey(keyId)
    .map(({ id, network, address }) => line('Of wallet', `${id}, ${networkWords(network)} ${plain(address)}`)),
];

const keyAsked = (asking: Asking): string => asking.params['keyId'] ?? walletAsked(asking).keyId;

export function exportWords(asking: Asking): AskingWords {
  const { exports } = asking.charter.content;
  if (!exports) throw new NotVerified('The charter that you trust lets no key leave the signer.');
  const { encryptionKey } = asSignerReads('the export of a key', () => readSignedBody(ExportBody, asking));
  const initiatorId = asking.member.userId;
  const { blockedBy, groups } = evaluate(exports.policies, { initiatorId, permissionId: null, policyId: null });
  if (blockedBy.length > 0) throw new NotVerified(`The charter forbids this export, by the policy ${blockedBy.join(', ')}.`);
  const lines = [
    line(
      'Asks for',
      'the EXPORT of a key: its holder can move everything that the key controls, and the signer signs nothing more with it',
    ),
    ...keyLines(asking.charter, keyAsked(asking)),
    line('Encrypted to', plain(encryptionKey)),
    ...[...new Set(groups.map(({ policyId }) => policyId))].map((id) =>
      line('Needs', `the approval that the policy ${id} demands`),
    ),
    line('Then waits', `${exports.waitHours} hours after the last vote, and for the same request once more`),
  ];
  return { lines, confirm: { what: 'the encryption key', text: encryptionKey } };
}

export function deriveWords(asking: Asking): AskingWords {
  const { domain, seed } = asSignerReads('a shared secret', () => readSignedBody(DeriveBody, asking));
  const keyId = keyAsked(asking);
  const lines = [
    line('Asks for', 'a SHARED SECRET: the key times the point of this seed'),
    ...keyLines(asking.charter, keyId),
    line('Domain', plain(domain)),
    line('Seed', plain(seed)),
  ];
  return { lines, confirm: { what: 'the key', text: keyId } };
}
