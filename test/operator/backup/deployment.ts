import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { evmCodecOf } from '../../../chains/codecs';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { keyStore } from '../../../entities/keys/key.store';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { newId } from '../../../platform/ids';
import { createFileKek } from '../../../signer/keys/kek';
import { createPortableSigning } from '../../../signer/keys/sealed-signing';
import { openOperations } from '../../../signer/orders/operations';
import type { SignTransferOrder } from '../../../signer/protocol';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { asSuperuser, databaseUrl } from '../../support/roles';

const fail = (cause: Error) => {
  throw cause;
};

type SignerOperations = Awaited<ReturnType<typeof openOperations>>['operations'];

export type Deployment = {
  readonly database: TestDatabase;
  readonly orgId: string;
  readonly keys: { readonly signerKek: Buffer; readonly dataKek: Buffer };
  readonly stateDir: string;
  readonly folder: string;
  readonly source: () => { readonly ownerUrl: string; readonly dataKek: Buffer; readonly stateDir: string };
  /** Makes a wallet as the service does: first the entry in the journal, then the rows. */
  readonly addWallet: () => Promise<string>;
  readonly sign: (order: SignTransferOrder) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The rows and the signer's folder of a deployment, without processes. */
export async function createDeployment(): Promise<Deployment> {
  const database = await createTestDatabase(2);
  const orgId = await database.createOrganization();
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const stateDir = mkdtempSync(join(folder, 'signer-'));
  const keys = { signerKek: randomBytes(32), dataKek: randomBytes(32) };
  const withSigner = async <T>(work: (operations: SignerOperations) => Promise<T>): Promise<T> => {
    const kek = createFileKek(Buffer.from(keys.signerKek));
    const nowMs = () => Date.now();
    const opened = await openOperations({
      stateDir,
      kek,
      signing: createPortableSigning(kek),
      switches: new Set(),
      nowMs,
      onBroken: fail,
    });
    try {
      return await work(opened.operations);
    } finally {
      await opened.close();
    }
  };
  return {
    database,
    orgId,
    keys,
    sign: async (order) => void (await withSigner(({ signTransfer }) => signTransfer(order))),
    stateDir,
    folder,
    source: () => ({ ownerUrl: database.ownerUrl, dataKek: keys.dataKek, stateDir }),
    async addWallet() {
      const [keyId, walletId] = [newId('key'), newId('wallet')];
      const created = await withSigner(({ createKey }) => createKey({ orgId, keyId, scheme: 'ECDSA', curve: 'secp256k1' }));
      await database.db.withOrg(orgId, async (tx) => {
        await tx.insert(KeyEntity, { orgId, id: keyId, scheme: 'ECDSA', curve: 'secp256k1', status: 'Creating' });
        await keyStore.activate(tx, { keyId: created.sealed.keyId, publicKeyHex: created.publicKeyHex, secret: created });
        const address = evmCodecOf('EthereumSepolia').addressOf(created.publicKeyHex);
        const network = 'EthereumSepolia';
        const row = {
          orgId,
          id: walletId,
          network,
          keyId,
          address,
          status: 'Active',
          requestDigest: 'd',
          createdBy: 'somebody',
        } as const;
        await tx.insert(WalletEntity, row);
      });
      return walletId;
    },
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type EmptyPlace = {
  readonly ownerUrl: string;
  readonly stateDir: string;
  readonly secretsDir: string;
  readonly select: (sql: string) => Promise<readonly object[]>;
  /** The names of all tables and files in the place. */
  readonly standing: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** A database without a schema and folders that do not exist. */
export async function createEmptyPlace(): Promise<EmptyPlace> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`));
  const folder = mkdtempSync(join(tmpdir(), 'empty-'));
  const select = async (sql: string) => asSuperuser(async (client: Client) => (await client.query(sql)).rows as object[], name);
  const filesOf = (path: string) => (existsSync(path) ? readdirSync(path).map((file) => join(path, file)) : []);
  const [stateDir, secretsDir] = [join(folder, 'signer'), join(folder, 'secrets')];
  return {
    ownerUrl: databaseUrl('strongroom_owner', name),
    stateDir,
    secretsDir,
    select,
    standing: async () => [
      ...(await select(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).map((row) =>
        JSON.stringify(row),
      ),
      ...filesOf(stateDir),
      ...filesOf(secretsDir),
    ],
    async close() {
      await asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
