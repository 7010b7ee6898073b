import { AppError, invariant } from '../../domain/errors';
import {
  KEY_SHARE_BYTES,
  KEY_SHARE_SUITE,
  RECIPIENT_KEY_BYTES,
  SOFTWARE_PROTOCOL,
  SOFTWARE_SIGNERS,
} from '../../domain/key-stores';
import { DEFAULT_SCHEMES, findKeyForm, isMasterForm, type KeyCurve, type KeyScheme } from '../../domain/keys';
import type { SettingName } from '../../domain/settings';
import { charterStore } from '../../entities/charters/charter.store';
import type { Tx } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore } from '../../entities/keys/key.store';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import { organizationStore } from '../../entities/organizations/organization.store';
import { newId } from '../../platform/ids';
import type { Changed } from '../change-requests/proposals';
import { assertNotFrozen, reachOfExport } from '../freezes/active-freezes';
import { assertStoreDoes, assertStoreImports } from '../key-stores/assert-store-does';
import { badField } from '../request-faults';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { walletOf } from '../wallets/wallets';
import { askSignerWhenPermitted } from './ask-signer';
import { digestOfRequest, type KeyWish } from './grants';
import { lockKeyOf } from './plan-key';
import { assertSignerDoes } from './signer-switches';
import { type KeyView, keyView } from './view';

export type KeyImport = {
  readonly protocol: string;
  readonly curve: KeyCurve;
  /** If the scheme is omitted, the curve's default scheme applies. */
  readonly scheme?: KeyScheme | undefined;
  readonly minSigners: number;
  readonly encryptedKeyShares: readonly { readonly signerId: string; readonly encryptedKeyShare: string }[];
  readonly name?: string | undefined;
  readonly masterKey?: boolean | undefined;
};

/** Makes every check that needs no query to the database. Throws `InvalidRequest` with the path of the fault. */
export function importOf(request: KeyImport) {
  const { protocol, curve, scheme = DEFAULT_SCHEMES[curve], minSigners, encryptedKeyShares, name, masterKey = false } = request;
  if (protocol !== SOFTWARE_PROTOCOL)
    throw badField(
      'protocol',
      `must be ${SOFTWARE_PROTOCOL}: the key store holds whole keys and supports no distributed protocol`,
    );
  const form = { scheme, curve };
  if (!findKeyForm(form)) throw badField('scheme', `cannot be combined with the curve ${curve}`);
  if (minSigners !== SOFTWARE_SIGNERS) throw badField('minSigners', `must be ${SOFTWARE_SIGNERS}`);
  const [share, ...more] = encryptedKeyShares;
  if (!share || more.length > 0) throw badField('encryptedKeyShares', `must have ${SOFTWARE_SIGNERS} share, like minSigners`);
  if (masterKey && !isMasterForm(form)) throw badField('masterKey', `is not possible for ${scheme} on ${curve}`);
  const { signerId, encryptedKeyShare: encryptedShare } = share;
  assertBase64(encryptedShare, KEY_SHARE_BYTES, 'encryptedKeyShares.0.encryptedKeyShare');
  return { kind: 'Import', form, signerId, encryptedShare, name: name ?? null, isMaster: masterKey } as const;
}

/** Throws `Forbidden` unless this setting of the organisation is on and in effect. */
export async function assertSettingOn(tx: Tx, setting: SettingName & ('keyImport' | 'keyExport')): Promise<void> {
  if ((await organizationStore.settings(tx, tx.orgId))[setting]) return;
  const what = setting === 'keyImport' ? 'imported' : 'exported';
  throw new AppError('Forbidden', `keys are not ${what}: the organisation's setting ${setting} is off, or not in effect yet`, {
    setting,
  });
}

/**
 * Returns the key once its secret is stored safely (S4). A key that an end user imports belongs to that user. Throws
 * `ChangePending` and `PolicyBlocked`. Throws `Forbidden` while the setting is off. Throws `InvalidRequest` for a share that the
 * signer cannot decrypt. Throws `Conflict` for a public key that the organisation already has.
 */
export async function importKey(services: Services, authority: Authority, request: KeyImport): Promise<Changed<KeyView>> {
  const { caller } = authority;
  const changed = await askSignerWhenPermitted(services, authority, async (tx) => {
    await assertSettingOn(tx, 'keyImport');
    await assertStoreImports(tx);
    const question = importOf(request);
    const delegatedTo = caller.kind === 'EndUser' ? caller.userId : null;
    const wish = delegatedTo === null ? importWish(request, question) : undefined;
    return {
      keyId: newId('key'),
      question: { ...question, delegatedTo, wallet: null, signedText: signedTextOf(authority) },
      wish,
    };
  });
  if (!('value' in changed)) return changed;
  const { keyId } = changed.value;
  const key = await keyStore.find(services.db.read(caller.orgId), keyId);
  invariant(key, `the imported key ${keyId} exists`);
  return { value: keyView(key) };
}

/** Call this function only if the caller is not an end user. Policies do not judge an end user's own import. */
export function importWish(request: object, question: ReturnType<typeof importOf>, network?: string): KeyWish {
  const { form, signerId, name, isMaster } = question;
  const requestDigest = digestOfRequest(request);
  return {
    kind: 'KeyImport',
    subject: `import/${requestDigest}`,
    version: 0,
    requestDigest,
    body: {
      ...form,
      signerId,
      masterKey: isMaster,
      ...(name === null ? {} : { name }),
      ...(network === undefined ? {} : { network }),
    },
  };
}

/** The text of the signed body. The worker parses the import again from this text. */
export function signedTextOf({ action }: Authority): string {
  invariant(action, 'an import has a user action');
  return action.text;
}

export type KeyExportRequest = {
  readonly encryptionKey: string;
  readonly supportedSchemes: readonly { readonly protocol: string; readonly curve: KeyCurve }[];
};

export type KeyShares = Pick<KeyEntity, 'curve' | 'scheme'> & {
  readonly publicKey: string;
  readonly protocol: typeof SOFTWARE_PROTOCOL;
  readonly minSigners: number;
  readonly suite: typeof KEY_SHARE_SUITE;
  readonly encryptedKeyShares: { readonly signerId: string; readonly encryptedKeyShare: string }[];
};

/**
 * Encrypts the secret key to the caller's X25519 key. From then on this service no longer signs with the exported key. An export
 * can be repeated, so that a caller who loses the response does not lose the key. Throws `NotFound`, `ChangePending` and
 * `PolicyBlocked`. Throws `Forbidden` while the setting is off, and for another user's key. Throws `InvalidRequest` if the
 * signer does not export keys, or if the request does not fit the key. Throws `WrongState` for a deleted key, for a key of an
 * offline store, and if a derived key has another owner. Throws `TargetFrozen` for a frozen key.
 */
export function exportKey(
  services: Services,
  authority: Authority,
  keyId: string,
  request: KeyExportRequest,
): Promise<Changed<KeyShares>> {
  return exported(services, authority, request, (tx) => lockKeyOf(tx, authority.caller, keyId));
}

/** The same as `exportKey`, for the key of a wallet. */
export function exportWallet(services: Services, authority: Authority, walletId: string, request: KeyExportRequest) {
  return exported(services, authority, request, async (tx) => {
    const { wallet } = await walletOf(tx, authority.caller, walletId);
    return lockKeyOf(tx, authority.caller, wallet.keyId);
  });
}

async function exported(
  services: Services,
  authority: Authority,
  request: KeyExportRequest,
  lock: (tx: Tx) => Promise<KeyEntity>,
): Promise<Changed<KeyShares>> {
  const { encryptionKey, supportedSchemes } = request;
  let found: KeyEntity | undefined;
  const changed = await askSignerWhenPermitted(services, authority, async (tx) => {
    const key = await lock(tx);
    found = key;
    await assertStoreDoes(tx, key, 'Export');
    await assertSignerDoes(tx, 'Export', 'encryptionKey');
    await assertSettingOn(tx, 'keyExport');
    await assertCharterLets(tx, key);
    await assertMayLeave(tx, authority, key);
    if (!supportedSchemes.some(({ protocol, curve }) => protocol === SOFTWARE_PROTOCOL && curve === key.curve)) {
      throw badField('supportedSchemes', `must have ${SOFTWARE_PROTOCOL} on ${key.curve}`);
    }
    assertBase64(encryptionKey, RECIPIENT_KEY_BYTES, 'encryptionKey');
    // Only the owner exports a delegated key, and policies of the organisation do not judge the owner.
    const wish = key.delegatedTo === null ? exportWish(key, request) : undefined;
    return { keyId: key.id, question: { kind: 'Export', recipientKey: encryptionKey }, wish };
  });
  if (!('value' in changed)) return changed;
  const { encryptedShare, signerId } = changed.value;
  invariant(found?.publicKey && encryptedShare !== undefined && signerId !== undefined, 'an export has a share');
  const { publicKey, scheme, curve } = found;
  return {
    value: {
      publicKey,
      scheme,
      curve,
      protocol: SOFTWARE_PROTOCOL,
      minSigners: SOFTWARE_SIGNERS,
      suite: KEY_SHARE_SUITE,
      encryptedKeyShares: [{ signerId, encryptedKeyShare: encryptedShare }],
    },
  };
}

function exportWish({ id: keyId, version, publicKey, scheme, curve }: KeyEntity, request: KeyExportRequest): KeyWish {
  invariant(publicKey, 'an active key has a public key');
  const { encryptionKey, supportedSchemes } = request;
  return {
    kind: 'KeyExport',
    subject: keyId,
    version,
    requestDigest: digestOfRequest({ keyId, request }),
    body: { publicKey, scheme, curve, encryptionKey, supportedSchemes: [...supportedSchemes] },
  };
}

/** This check comes before the approval, because the signer would refuse an approved export. */
async function assertCharterLets(tx: Tx, { delegatedTo }: Pick<KeyEntity, 'delegatedTo'>): Promise<void> {
  const waitHours = await charterStore.exportWaitHours(tx);
  if (waitHours === undefined || (waitHours !== null && delegatedTo === null)) return;
  if (waitHours !== null) throw new AppError('Forbidden', 'keys of end users are not exported under a charter');
  throw new AppError('Forbidden', 'keys are not exported: the charter of the organisation lets no key leave');
}

async function assertMayLeave(tx: Tx, { caller }: Authority, key: KeyEntity): Promise<void> {
  const { id: keyId, status, delegatedTo } = key;
  if (status !== 'Active') throw new AppError('WrongState', 'key is not active', { keyId });
  if (delegatedTo !== null && delegatedTo !== caller.userId) {
    throw new AppError('Forbidden', 'only its owner may export a key that is delegated to an end user', { keyId });
  }
  // The holder of a master key can derive its child keys, so an export of the master key also exports its child keys.
  const kin = await keyRecordStore.lockKin(tx, keyId);
  await assertNotFrozen(tx, await reachOfExport(tx, key, kin));
  if (kin.some((one) => one.delegatedTo !== delegatedTo)) {
    throw new AppError('WrongState', 'a key that was derived from this one is delegated to an end user', { keyId });
  }
}

/** Throws `InvalidRequest` unless the text is the canonical base64 of RFC 4648, with padding, of exactly `bytes` bytes. */
function assertBase64(text: string, bytes: number, field: string): void {
  const read = Buffer.from(text, 'base64');
  if (read.length === bytes && read.toString('base64') === text) return;
  throw badField(field, `must be ${bytes} bytes in base64`);
}
