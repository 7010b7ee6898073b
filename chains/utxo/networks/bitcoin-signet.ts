import type { UtxoNetwork } from '../types';
import { bitcoinTestnet4 } from './bitcoin-testnet4';

/** Every signet has this genesis, whatever its challenge (BIP325). */
export const bitcoinSignet: UtxoNetwork = {
  ...bitcoinTestnet4,
  name: 'BitcoinSignet',
  confirmations: 3,
  explorerTxUrl: 'https://mempool.space/signet/tx/{txHash}',
  genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
};
