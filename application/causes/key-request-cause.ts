import type { CauseId } from '../../domain/causes';
import { KEY_REQUEST_LIFE_MS, type KeyRequestKind, type KeyRequestQuestion } from '../../domain/key-requests';
import type { SettingName } from '../../domain/settings';
import { clockOf } from '../../entities/clock';
import type { Reader } from '../../entities/database';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { organizationStore } from '../../entities/organizations/organization.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { SecretBox } from '../../platform/secret-box';
import { prefixed } from '../key-derivation';
import { type Grounds, groundsOf, keptBody } from './action-grounds';
import { proven } from './refused';

type Rule = {
  readonly causes: readonly CauseId[];
  /** Without which the organisation allows it to nobody. */
  readonly setting: (SettingName & ('keyImport' | 'keyExport')) | null;
};

const RULES: Readonly<Record<KeyRequestKind, Rule>> = {
  Import: { causes: ['importKey', 'importWallet'], setting: 'keyImport' },
  Export: { causes: ['exportKey', 'exportWallet'], setting: 'keyExport' },
  Derive: { causes: ['deriveKey'], setting: null },
};

/**
 * Checks the signed request behind a question to the signer, the setting of the organisation included. A row is removed a day later,
 * so the action must be fresh: what was asked once cannot be asked again with it. Throws `UnprovenRequest`.
 */
export async function assertKeyRequestCaused(
  reader: Reader,
  signedBodies: SecretBox,
  row: KeyRequestEntity,
  question: KeyRequestQuestion,
): Promise<void> {
  const { orgId, userActionId, userId, tokenId, kind } = row;
  const { causes, setting } = RULES[kind];
  const grounds = await groundsOf(reader, signedBodies, { orgId, userActionId, userId, tokenId }, causes);
  const latest = grounds.action.dateExpires.getTime() + KEY_REQUEST_LIFE_MS;
  proven((await clockOf(reader)).getTime() <= latest, 'ActionTooOld');
  proven(setting === null || (await organizationStore.settings(reader, orgId))[setting], 'SwitchedOff');
  await assertNamesKey(reader, row, grounds);
  assertAsks(grounds, question);
}

/** The path names the key, or a wallet of it; an import is of a key that is not there yet. */
async function assertNamesKey(reader: Reader, { kind, keyId }: KeyRequestEntity, { params }: Grounds): Promise<void> {
  if (kind === 'Import') return;
  const { walletId } = params;
  const wallet = walletId === undefined ? undefined : await reader.row(WalletEntity, 'WHERE t.id = $1', [walletId]);
  proven((walletId === undefined ? params['keyId'] : wallet?.keyId) === keyId, 'PathDiffers');
}

/** What the signer is asked is what was signed. Of an import the share is a secret, so only the digest of its body is kept. */
function assertAsks(grounds: Grounds, question: KeyRequestQuestion): void {
  if (question.kind === 'Import') {
    proven((grounds.cause === 'importWallet') === (question.wallet !== null), 'ContentDiffers wallet');
    return;
  }
  const body = keptBody(grounds);
  // A request lives for seconds, so none is from before texts were kept.
  proven(body !== 'Earlier', 'BodyMissing');
  if (question.kind === 'Export') {
    proven(body['encryptionKey'] === question.recipientKey, 'ContentDiffers encryptionKey');
    return;
  }
  const [domain, seed] = [body['domain'], body['seed']].map((hex) => (typeof hex === 'string' ? prefixed(hex) : undefined));
  proven(domain === question.domainHex && seed === question.seedHex, 'ContentDiffers seed');
}
