import { codecOf } from '../../chains/codecs';
import { findNetwork } from '../../chains/networks';
import type { AllRows } from '../../entities/backup/all-rows';
import type { KeyCheck } from '../../signer/wire/operator-api';
import { ArchiveRefused } from './archive-refused';

type KeyRow = {
  readonly orgId: string;
  readonly keyId: string;
  readonly scheme: string;
  readonly curve: string;
  readonly publicKeyHex: string;
  readonly dekId: string;
  readonly ciphertextHex: string;
  readonly kekId: string;
  readonly wrappedHex: string;
  readonly commitHex: string;
};

const KEYS = `
  SELECT k.org_id AS "orgId", k.id AS "keyId", k.scheme, k.curve, k.public_key AS "publicKeyHex", k.data_key_id AS "dekId",
         k.sealed AS "ciphertextHex", d.kek_id AS "kekId", d.wrapped AS "wrappedHex", d.commitment AS "commitHex"
  FROM keys k JOIN data_keys d ON d.org_id = k.org_id AND d.id = k.data_key_id WHERE k.sealed IS NOT NULL`;
const WALLETS = `
  SELECT w.id, w.network, w.address, k.public_key AS "publicKeyHex"
  FROM wallets w JOIN keys k ON k.org_id = w.org_id AND k.id = w.key_id WHERE w.address IS NOT NULL`;

export type AddressCount = { readonly keys: number; readonly addresses: number };

/**
 * Decrypts each sealed key and derives each address again. Throws `ArchiveRefused` for the first key or address that does not
 * match its row.
 */
export async function checkAddresses({ each }: AllRows, { check }: KeyCheck): Promise<AddressCount> {
  let keys = 0;
  let addresses = 0;
  for await (const row of each<KeyRow>(KEYS)) {
    const { kekId, wrappedHex, commitHex, ...sealed } = row;
    const { orgId, dekId } = sealed;
    await check(sealed, { orgId, dekId, kekId, wrappedHex, commitHex }).catch(() => {
      throw new ArchiveRefused(`the key ${row.keyId} does not open, or its public key differs from its row`);
    });
    keys += 1;
  }
  for await (const wallet of each<{ id: string; network: string; address: string; publicKeyHex: string }>(WALLETS)) {
    const network = findNetwork(wallet.network);
    // An address cannot be checked if this release does not support its network.
    const derived = network ? codecOf(network.name).addressOf(wallet.publicKeyHex) : wallet.address;
    if (derived !== wallet.address) throw new ArchiveRefused(`the address of the wallet ${wallet.id} does not belong to its key`);
    addresses += 1;
  }
  return { keys, addresses };
}
