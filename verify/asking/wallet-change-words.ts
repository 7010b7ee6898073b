import { findNetwork } from '../../chains/networks';
import { plain, quoted } from '../../operator/charters/plain';
import { sha256Hex } from '../../platform/digests';
import { tagsChanged, tagWallet, untagWallet } from '../../signer/judging/amendments/tags';
import { NewWallet } from '../../signer/judging/amendments/wallets';
import { readSignedBody } from '../../signer/judging/requests/signed-body';
import { line, networkWords } from '../content/content-words';
import { assertVerified } from '../not-verified';
import { type Asking, type AskingWords, asSignerReads, walletAsked, walletLines } from './asking';
import { guardsOf } from './change-verdict';

const listed = (tags: readonly string[]): string => (tags.length === 0 ? 'none' : tags.map(quoted).join(', '));

export function createWalletWords(asking: Asking): AskingWords {
  const asked = asSignerReads('a wallet with a new key', () => readSignedBody(NewWallet, asking));
  const { network, name, signingKey = {}, tags = [], metadata = {} } = asked;
  assertVerified(findNetwork(network) !== undefined, `This program does not know the network ${plain(network)}.`);
  assertVerified(
    tags.length === 0 || asking.credential.operations.includes('tagWallet'),
    'The charter does not let this key give tags to a wallet.',
  );
  const kind = [signingKey.scheme, signingKey.curve].filter((one) => one !== undefined).join(' on ');
  const lines = [
    line('Asks for', 'a NEW WALLET with a new key'),
    line('Network', networkWords(network)),
    line('Name', name === undefined ? 'none' : quoted(name)),
    line('Tags', listed([...new Set(tags)].sort())),
    ...Object.entries(metadata).map(([key, value]) => line('Metadata', `${quoted(key)}: ${quoted(value)}`)),
    ...(kind === '' ? [] : [line('Key', kind)]),
    ...(signingKey.storeId === undefined ? [] : [line('Key store', quoted(signingKey.storeId))]),
  ];
  return { lines, confirm: { what: 'the digest of the body', text: sha256Hex(asking.body) } };
}

function taggingWords(asking: Asking, isAdding: boolean): AskingWords {
  const { charter, member, params, body } = asking;
  const wallet = walletAsked(asking);
  const asked = { charter, action: { member, body }, params };
  const changed = asSignerReads('tags of a wallet', () => tagsChanged(asked, isAdding));
  const after = isAdding ? [...wallet.tags, ...changed].sort() : wallet.tags.filter((tag) => !changed.includes(tag));
  const policies = (isAdding ? tagWallet : untagWallet).changedPolicies?.(asked) ?? [];
  for (const id of policies) {
    const [guard] = guardsOf(charter, id, member.userId);
    assertVerified(
      guard === undefined,
      `The policy ${guard} demands approval for changes of the policy ${id}, and a change of tags cannot wait for approval.`,
    );
  }
  const lines = [
    line('Asks for', isAdding ? 'MORE TAGS of a wallet' : 'FEWER TAGS of a wallet'),
    ...walletLines(wallet),
    line(isAdding ? 'Adds' : 'Removes', changed.length === 0 ? 'nothing: the wallet stays as it is' : listed(changed)),
    line('Tags then', listed(after)),
    ...charter.content.policies
      .filter(({ id }) => policies.includes(id))
      .map(({ id, name }) => line('Changes', `what the policy ${id} ${quoted(name)} applies to`)),
  ];
  return { lines, confirm: { what: 'the wallet', text: wallet.id } };
}

export const tagWalletWords = (asking: Asking): AskingWords => taggingWords(asking, true);
export const untagWalletWords = (asking: Asking): AskingWords => taggingWords(asking, false);
