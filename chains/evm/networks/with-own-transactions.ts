import { evmNetworks } from '../record';

/** pathUSD, with which every account of Tempo can pay fees (https://docs.tempo.xyz/protocol/fees). */
const PATH_USD = '0x20C0000000000000000000000000000000000000';
const TEMPO = {
  variant: 'tempo',
  lacks: ['Native'],
  symbol: 'USD',
  feeToken: { contract: PATH_USD, decimals: 6 },
  nonceKeys: 8,
  tokens: [{ contract: PATH_USD, symbol: 'pathUSD', decimals: 6, verified: true }],
  // The last log of every receipt with a fee is the fee's transfer, even if the transaction's calls are undone (tempoxyz/tempo,
  // crates/precompiles/src/tip20, `transfer_fee_post_tx`). All tokens that pay fees have six decimals.
  sees: { native: 'Nothing', feeLog: { collector: '0xfeEC000000000000000000000000000000000000', scale: 10n ** 12n } },
  unswept: 'it has no coin, and fees in tokens are counted in another unit',
  note: 'has no coin of its own: fees are paid in a dollar token and counted here in 10^-18 dollars',
} as const;

/**
 * The token contract of CELO moves coins with a precompile, so neither the values of transactions nor traces show a payment
 * through the contract. A plain payment in coins does not cause a log of the contract
 * (https://docs.celo.org/specs/token-duality).
 */
const celoSees = (contract: string) => ({ native: 'Calls', nativeToken: { contract, logs: 'Pay' } }) as const;

/** Fees can be paid in tokens, and no source shows that every such token logs the payment of the fee. */
const CELO_UNSWEPT = 'tokens can pay its fees, in ways that this service cannot check';
const CELO_NOTE = 'type 0x7b can pay fees in cUSD; vectors verify its bytes, because the local node rejects this type';

/** Networks whose transactions, fees or addresses differ from Ethereum's, and the networks of Sei. */
export const OWN_WAYS = evmNetworks({
  Celo: {
    variant: 'celo',
    sees: celoSees('0x471EcE3750Da237f93B8E339c536989b8978a438'),
    chainId: 42_220,
    isMainnet: true,
    symbol: 'CELO',
    milliCeiling: 5000,
    explorer: 'https://celoscan.io',
    feeCurrencies: [{ contract: '0x765DE816845861e75A25fCA122bb6898B8B1282a', symbol: 'cUSD' }],
    unswept: CELO_UNSWEPT,
    note: CELO_NOTE,
  },
  CeloAlfajores: {
    variant: 'celo',
    sees: celoSees('0xF194afDf50B03e69Bd7D057c1Aa9e10c9954E4C9'),
    chainId: 44_787,
    symbol: 'CELO',
    milliCeiling: 10_000,
    explorer: 'https://celo-alfajores.blockscout.com',
    feeCurrencies: [{ contract: '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1', symbol: 'cUSD' }],
    unswept: CELO_UNSWEPT,
    standing: 'Deprecated',
    note: `Celo moved its tests to a newer network, for which the interface has no name; ${CELO_NOTE}`,
  },
  EthereumClassic: {
    chainId: 61,
    isMainnet: true,
    variant: 'legacy',
    symbol: 'ETC',
    slip44: 61,
    milliCeiling: 200,
    // A proof-of-work chain with little hash rate: reorganisations of thousands of blocks happened in 2020.
    confirmations: 300,
    explorer: 'https://etc.blockscout.com',
  },
  EthereumClassicMordor: {
    chainId: 63,
    variant: 'legacy',
    symbol: 'ETC',
    milliCeiling: 1000,
    confirmations: 12,
    explorer: 'https://etc-mordor.blockscout.com',
  },
  Xdc: {
    addressPrefix: 'xdc',
    chainId: 50,
    isMainnet: true,
    symbol: 'XDC',
    slip44: 550,
    milliCeiling: 20_000,
    explorer: 'https://xdcscan.com',
  },
  XdcApothem: {
    addressPrefix: 'xdc',
    chainId: 51,
    symbol: 'TXDC',
    milliCeiling: 50_000,
    explorer: 'https://testnet.xdcscan.com',
  },
  SeiPacific1: { chainId: 1329, isMainnet: true, symbol: 'SEI', milliCeiling: 10_000, explorer: 'https://seiscan.io' },
  SeiAtlantic2: { chainId: 1328, symbol: 'SEI', milliCeiling: 20_000, explorer: 'https://testnet.seiscan.io' },
  Tempo: {
    ...TEMPO,
    chainId: 4217,
    isMainnet: true,
    milliCeiling: 5000,
    explorer: 'https://explore.tempo.xyz',
  },
  TempoModerato: {
    ...TEMPO,
    chainId: 42_431,
    milliCeiling: 10_000,
    explorer: 'https://explore.testnet.tempo.xyz',
  },
});
