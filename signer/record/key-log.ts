import { SOFTWARE_STORE_ID } from '../../domain/key-stores';
import type { DekRow, SealedKeyRow } from '../orders/key-rows';
import type { CreatedKey } from '../protocol';
import { refuseUnless } from '../wire/refusal';
import { type Evidence, recorded } from './evidence';
import { type OfflineKey, offlineKeyName, poolKeyName } from './fleets/fleet-entries';
import { createHolderCredentials } from './holders/holder-credentials';
import { holdingName, type KeyHolding, keyActionName, servedBy } from './holders/holder-entries';
import type { Journal } from './journal/journal';
import {
  charteredKeyName,
  DEK_PREFIX,
  dekName,
  dekRequestName,
  type Export,
  exportedName,
  exportName,
  KEY_COUNT,
  type KeyRecord,
  type KnownKey,
  keyName,
  type Origin,
  presentDekName,
} from './key-entries';
import { createKinship } from './kinship';
import { actionName } from './signing-entries';

/** The holder of a new key, with the signed action that requested the key. */
export type Held = { readonly holding: KeyHolding; readonly evidence: readonly Evidence[] };

type Kinship = ReturnType<typeof createKinship>;

/**
 * Every key that the signer ever made, in sealed form. A key is durable before the reply. A key whose address was shown can
 * therefore be restored even if the database has lost its row. Rotations are recorded too. Otherwise a restored key would open
 * only under keys that a rotation has replaced. A lookup may return a result that is not durable yet, so every reply waits for
 * the journal.
 */
export interface KeyLog extends Pick<Kinship, 'originOf' | 'isChild' | 'kinOf' | 'descendantsOf'> {
  readonly size: number;
  /** The newest sealed form of the key, and the newest wrapped form of its data key. */
  find(keyId: string): CreatedKey | undefined;
  keyWith(sealed: Pick<SealedKeyRow, 'orgId' | 'scheme' | 'curve' | 'publicKeyHex'>): string | undefined;
  /** Whether the signer has, or had, a sealed key of the organisation with this secret. */
  hasSecret(key: Omit<KnownKey, 'keyId'>): boolean;
  /** Whether the key id, or a key with this secret, belongs to an offline store. */
  isOffline(key: Pick<KnownKey, 'keyId' | 'curve' | 'publicKeyHex'>): boolean;
  /** The key store of the key. Undefined for a key that is not on record. */
  storeOf(keyId: string): string | undefined;
  /** True if an export has revealed this key, or a key from which this key can be derived. */
  isExported(key: KnownKey): boolean;
  /** True if the organisation had a charter when the key was made. An older key may already have signed anything. */
  isOfChartered(key: KnownKey): boolean;
  /**
   * The only end user who may use this key: the holder of the key, or of a key from which this key can be derived. The result
   * contains only the credentials that are still accepted.
   */
  holderOf(key: KnownKey): KeyHolding | undefined;
  findExport(request: Pick<Export, 'orgId' | 'requestId'>): Export | undefined;
  /** The data key that seals the organisation's new keys. */
  findDek(orgId: string): DekRow | undefined;
  dekOf(request: Pick<Export, 'orgId' | 'requestId'>): DekRow | undefined;
  deksNotUnder(kekId: string): Promise<readonly DekRow[]>;
  /** Resolves once the key is on the disk. Throws a `Refusal` if the action of the holding was used for something else. */
  record(created: CreatedKey, origin?: Origin, held?: Held): Promise<void>;
  /**
   * The key is treated as exported from this call on, even if the write fails. Resolves once the export is on the disk. Throws a
   * `Refusal` if the signed action was used for another request.
   */
  recordExport(exported: Export, evidence?: readonly Evidence[]): Promise<void>;
  recordDek(dek: DekRow, requestId?: string): Promise<void>;
  recordSealed(resealed: SealedKeyRow): Promise<void>;
}

/** A Schnorr key does not show the parity of its point, which the name of a pool's key contains. */
const poolNames = (curve: string, publicKeyHex: string): readonly string[] =>
  (curve === 'secp256k1' ? ['02', '03'].map((parity) => `${parity}${publicKeyHex.slice(-64)}`) : [publicKeyHex]).map(
    (publicKey) => poolKeyName({ curve, publicKey }),
  );

export function createKeyLog({ index, append }: Pick<Journal, 'index' | 'append'>): KeyLog {
  const { idsWith, ...kinship } = createKinship(index);
  const { standingOf } = createHolderCredentials({ index, append });
  const recordOf = (keyId: string) => index.get<KeyRecord>(keyName(keyId));
  const dekWith = (dekId: string | undefined) => (dekId === undefined ? undefined : index.get<DekRow>(dekName(dekId)));

  return {
    ...kinship,
    get size() {
      return index.get<number>(KEY_COUNT) ?? 0;
    },
    find(keyId) {
      const sealed = recordOf(keyId)?.sealed;
      const dek = dekWith(sealed?.dekId);
      return sealed && dek && { publicKeyHex: sealed.publicKeyHex, sealed, dek };
    },
    keyWith: (sealed) => idsWith(sealed).find((keyId) => recordOf(keyId)?.sealed.scheme === sealed.scheme),
    hasSecret: (key) => idsWith(key).length > 0,
    isOffline: ({ keyId, curve, publicKeyHex }) =>
      [offlineKeyName(keyId), ...poolNames(curve, publicKeyHex)].some((name) => index.get(name) !== undefined),
    storeOf: (keyId) =>
      index.get<OfflineKey>(offlineKeyName(keyId))?.storeId ?? (recordOf(keyId) === undefined ? undefined : SOFTWARE_STORE_ID),
    isExported(key) {
      const { same, above } = kinship.kinOf(key);
      return [...same, ...above].some((keyId) => index.get(exportedName(key.orgId, keyId)) !== undefined);
    },
    isOfChartered: ({ orgId, keyId }) => index.get(charteredKeyName(orgId, keyId)) !== undefined,
    holderOf(key) {
      const { same, above } = kinship.kinOf(key);
      for (const keyId of [...same, ...above]) {
        const holding = index.get<KeyHolding>(holdingName(key.orgId, keyId));
        if (holding) return standingOf(key.orgId, holding);
      }
      return undefined;
    },
    findExport: (request) => index.get<Export>(exportName(request)),
    findDek: (orgId) => dekWith(index.get<string>(presentDekName(orgId))),
    dekOf: ({ orgId, requestId }) => dekWith(index.get<string>(dekRequestName(orgId, requestId))),
    async deksNotUnder(kekId) {
      const found: DekRow[] = [];
      for await (const dek of index.each<DekRow>(DEK_PREFIX)) if (dek.kekId !== kekId) found.push(dek);
      return found;
    },
    async record(created, origin, held) {
      const { orgId } = created.sealed;
      if (!held) return append({ kind: 'KeyCreated', created, origin });
      const { holding, evidence } = held;
      const served = index.get<string>(keyActionName(orgId, holding.action));
      refuseUnless(served === undefined || served === servedBy(created.sealed.keyId, holding), 'ActionUsed');
      return append({ kind: 'KeyCreated', created, origin, holding }, recorded(evidence));
    },
    async recordExport(exported, evidence = []) {
      const { orgId, requestId, action } = exported;
      const served = action && index.get<string>(actionName(orgId, action));
      refuseUnless(served === undefined || served === requestId, 'ActionUsed');
      await append({ kind: 'KeyExported', exported }, evidence.length > 0 ? recorded(evidence) : undefined);
    },
    recordDek: (dek, requestId) => append({ kind: 'DataKey', dek, requestId }),
    recordSealed: (resealed) => append({ kind: 'KeyResealed', resealed }),
  };
}
