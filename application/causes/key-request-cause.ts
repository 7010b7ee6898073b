import type { CauseId } from '../../domain/causes';
import { prefixed } from '../../domain/hex';
import { KEY_REQUEST_LIFE_MS, type KeyRequestKind, type KeyRequestQuestion } from '../../domain/key-requests';
import type { SettingName } from '../../domain/settings';
import { clockOf } from '../../entities/clock';
import type { Reader } from '../../entities/database';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { organizationStore } from '../../entities/organizations/organization.store';
import { UserEntity } from '../../entities/users/user.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { SecretBox } from '../../platform/secret-box';
import type { BodyOf } from '../bodies/of-causes';
import { type ActionGrounds, actionGroundsOf, keptBody } from './action-grounds';
import { assertSaysImport } from './import-cause';
import { proven } from './refused';

type Rule = {
  readonly causes: readonly CauseId[];
  /** Null if the request needs no setting. */
  readonly setting: (SettingName & ('keyImport' | 'keyExport')) | null;
};

const RULES = {
  Import: { causes: ['importKey', 'importWallet'], setting: 'keyImport' },
  Export: { causes: ['exportKey', 'exportWallet'], setting: 'keyExport' },
  Derive: { causes: ['deriveKey'], setting: null },
} as const satisfies Readonly<Record<KeyRequestKind, Rule>>;

/**
 * The action must be recent, because key requests are removed after a day. Without the row of the first request, an older
 * action could authorise the same request again. Throws `UnprovenRequest`.
 */
export async function assertKeyRequestCaused(
  reader: Reader,
  signedBodies: SecretBox,
  row: KeyRequestEntity,
  question: KeyRequestQuestion,
): Promise<void> {
  const { orgId, userActionId, userId, tokenId, kind } = row;
  const { causes, setting } = RULES[kind];
  const grounds = await actionGroundsOf(reader, signedBodies, { orgId, userActionId, userId, tokenId }, causes);
  const latest = grounds.action.dateExpires.getTime() + KEY_REQUEST_LIFE_MS;
  proven((await clockOf(reader)).getTime() <= latest, 'ActionTooOld');
  proven(setting === null || (await organizationStore.settings(reader, orgId))[setting], 'SwitchedOff');
  await assertNamesKey(reader, row, grounds);
  if (question.kind === 'Import') assertSaysImport(question, grounds, await isEndUser(reader, userId));
  else assertAsks(grounds, question);
}

/**
 * The signed path must contain the id of the key or of one of its wallets. The path of an import contains no key id, because the
 * key does not exist yet.
 */
async function assertNamesKey(reader: Reader, { kind, keyId }: KeyRequestEntity, { params }: ActionGrounds): Promise<void> {
  if (kind === 'Import') return;
  const { walletId } = params;
  const wallet = walletId === undefined ? undefined : await reader.row(WalletEntity, 'WHERE t.id = $1', [walletId]);
  proven((walletId === undefined ? params['keyId'] : wallet?.keyId) === keyId, 'PathDiffers');
}

const isEndUser = async (reader: Reader, userId: string): Promise<boolean> =>
  (await reader.row(UserEntity, 'WHERE t.id = $1', [userId]))?.kind === 'EndUser';

function assertAsks(grounds: ActionGrounds, question: Exclude<KeyRequestQuestion, { kind: 'Import' }>): void {
  if (question.kind === 'Export') {
    const { encryptionKey } = freshBody(grounds, RULES.Export.causes);
    proven(encryptionKey === question.recipientKey, 'ContentDiffers encryptionKey');
    return;
  }
  const { domain, seed } = freshBody(grounds, RULES.Derive.causes);
  proven(prefixed(domain) === question.domainHex && prefixed(seed) === question.seedHex, 'ContentDiffers seed');
}

/**
 * Throws `UnprovenRequest` if only the digest of the body is stored. Earlier releases stored only digests. But a key request ends
 * within seconds, so no open key request comes from an earlier release.
 */
function freshBody<C extends CauseId>(grounds: ActionGrounds, causes: readonly C[]): BodyOf[C] {
  const body = keptBody(grounds, causes);
  proven(body !== 'Earlier', 'BodyMissing');
  return body;
}
