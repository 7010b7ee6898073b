import type { UtxoNetwork } from '../types';
import { bitcoinTestnet4 } from './bitcoin-testnet4';

/** BIP94 replaced this network with testnet4. */
export const bitcoinTestnet3: UtxoNetwork = {
  ...bitcoinTestnet4,
  name: 'BitcoinTestnet3',
  standing: 'Deprecated',
  note: 'testnet4 took its place (BIP94)',
  explorerTxUrl: 'https://mempool.space/testnet/tx/{txHash}',
  genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
};
