import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import { assertMainnets } from '../../worker/mainnets';

type Signer = Parameters<typeof assertMainnets>[0]['signer'];
type Given = { readonly arithmetic?: 'native' | 'portable'; readonly named?: Readonly<Record<string, readonly string[]>> };

const HEALTH = { kekId: 'k', journalEntries: 0, logEntries: 0, signerId: 'sgn-1', encryptionKey: 'x' };
const DIGEST = '00'.repeat(32);
const away = async () => {
  throw new AppError('SignerUnavailable', 'no signer');
};
const logger = { fatal: jest.fn(), error: jest.fn(), warn: jest.fn(), info: jest.fn(), debug: jest.fn() };
afterEach(() => logger.warn.mockReset());

function assertFor(networks: readonly NetworkName[], { arithmetic = 'native', named = {} }: Given, others: Partial<Signer> = {}) {
  const orgIds = Object.keys(named).sort();
  const signer: Signer = {
    health: async () => ({ ...HEALTH, arithmetic }),
    // One charter on each page.
    listCharters: async ({ after = '' }) => ({
      charters: orgIds
        .filter((orgId) => orgId > after)
        .slice(0, 1)
        .map((orgId) => ({ orgId, sequence: 1, digest: DIGEST })),
    }),
    readCharter: away,
    ...others,
  };
  const read = (orgId: string) => ({ select: async () => [{ digest: DIGEST, mainnets: named[orgId] ?? null }] }) as never;
  return assertMainnets({ signer, db: { read } as never, networks, logger });
}

test('a mainnet that the charter of an organisation names is served', async () => {
  await expect(
    assertFor(['Ethereum', 'EthereumSepolia'], { named: { 'or-1': [], 'or-2': ['Ethereum'] } }),
  ).resolves.toBeUndefined();
});

test('everything that is missing is named at once', async () => {
  await expect(assertFor(['Ethereum', 'Base'], { arithmetic: 'portable', named: { 'or-1': ['Base'] } })).rejects.toThrow(
    'NETWORK_RPC_URLS: a mainnet needs a signer with SIGNER_ARITHMETIC=native; no organization has a charter that names the mainnet Ethereum',
  );
  await expect(assertFor(['Base'], {})).rejects.toThrow('no organization has a charter that names the mainnet Base');
});

test('without a mainnet, the signer is not asked, and an unavailable signer is not a configuration error', async () => {
  await expect(assertFor(['EthereumSepolia'], { arithmetic: 'portable' }, { health: away })).resolves.toBeUndefined();
  expect(logger.warn).not.toHaveBeenCalled();
  await expect(assertFor(['Ethereum'], {}, { health: away })).resolves.toBeUndefined();
  expect(logger.warn).toHaveBeenCalledTimes(1);
});
