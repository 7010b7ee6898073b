import { bareNetworks, SECP256K1 } from './record';

const COIN = { family: 'utxo', key: SECP256K1, decimals: 8, tier: 1 } as const;
const SEGWIT_TEST = 'bech32 with the prefix tb';

/** The Bitcoin family. */
export const UTXO = {
  ...bareNetworks(
    { ...COIN, addressForm: 'bech32 with the prefix bc', symbol: 'BTC', slip44: 0 },
    {
      Bitcoin: { explorer: 'https://mempool.space/tx/{txHash}' },
      BitcoinSignet: { isMainnet: false, addressForm: SEGWIT_TEST, explorer: 'https://mempool.space/signet/tx/{txHash}' },
      BitcoinTestnet3: {
        ...{ isMainnet: false, addressForm: SEGWIT_TEST, explorer: 'https://mempool.space/testnet/tx/{txHash}' },
        ...{ standing: 'Deprecated', note: 'testnet4 took its place (BIP94)' },
      },
      BitcoinTestnet4: { isMainnet: false, addressForm: SEGWIT_TEST, explorer: 'https://mempool.space/testnet4/tx/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...COIN, addressForm: 'CashAddr', symbol: 'BCH', slip44: 145 },
    {
      BitcoinCash: { explorer: 'https://blockchair.com/bitcoin-cash/transaction/{txHash}' },
      BitcoinCashTestnet: { isMainnet: false },
    },
  ),
  ...bareNetworks(
    { ...COIN, addressForm: 'base58 with the first letter D', symbol: 'DOGE', slip44: 3 },
    {
      Dogecoin: { explorer: 'https://blockchair.com/dogecoin/transaction/{txHash}' },
      DogecoinTestnet: { isMainnet: false, addressForm: 'base58 with the first letter n' },
    },
  ),
  ...bareNetworks(
    { ...COIN, addressForm: 'bech32 with the prefix ltc', symbol: 'LTC', slip44: 2 },
    {
      Litecoin: { explorer: 'https://litecoinspace.org/tx/{txHash}' },
      LitecoinTestnet: {
        ...{ isMainnet: false, addressForm: 'bech32 with the prefix tltc' },
        explorer: 'https://litecoinspace.org/testnet/tx/{txHash}',
      },
    },
  ),
} as const;
