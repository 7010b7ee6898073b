import { bareNetworks, ED25519, SECP256K1 } from './record';

const TEST = { isMainnet: false } as const;
const MOVE = { key: ED25519, addressForm: '0x and 64 hexadecimal digits', tier: 2 } as const;
const SS58 = {
  family: 'substrate',
  key: ED25519,
  decimals: 10,
  slip44: 354,
  tier: 2,
  addressForm: 'SS58 with the prefix 0',
} as const;
const COSMOS = { family: 'cosmos', key: SECP256K1, decimals: 6, slip44: 118, tier: 2 } as const;
const TON = { family: 'ton', key: ED25519, addressForm: 'base64url, 48 characters', decimals: 9, slip44: 607, tier: 2 } as const;
const ICP = {
  family: 'icp',
  key: ED25519,
  addressForm: 'principal, or 64 hexadecimal digits',
  decimals: 8,
  slip44: 223,
} as const;
const ASSET_HUB = 'since 2025 balances live on the Asset Hub';
const UNCONFIRMED = 'identified from public pages; its operators have not confirmed it';

/** Networks of families that the service does not support yet. */
export const LATER = {
  ...bareNetworks(
    {
      ...{ family: 'algorand', key: ED25519, addressForm: 'base32, 58 characters', tier: 2 },
      ...{ symbol: 'ALGO', decimals: 6, slip44: 283 },
    },
    {
      Algorand: { explorer: 'https://explorer.perawallet.app/tx/{txHash}' },
      AlgorandTestnet: { ...TEST, explorer: 'https://testnet.explorer.perawallet.app/tx/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...MOVE, family: 'aptos', symbol: 'APT', decimals: 8, slip44: 637 },
    {
      Aptos: { explorer: 'https://explorer.aptoslabs.com/txn/{txHash}?network=mainnet' },
      AptosTestnet: { ...TEST, explorer: 'https://explorer.aptoslabs.com/txn/{txHash}?network=testnet' },
      Movement: { symbol: 'MOVE' },
      MovementTestnet: { ...TEST, symbol: 'MOVE' },
    },
  ),
  ...bareNetworks(
    { ...COSMOS, addressForm: 'bech32 with the prefix bbn', symbol: 'BABY' },
    { BabylonGenesis: {}, BabylonTestnet5: TEST },
  ),
  ...bareNetworks(
    { ...COSMOS, addressForm: 'bech32 with the prefix cosmos', symbol: 'ATOM' },
    { CosmosHub4: { explorer: 'https://www.mintscan.io/cosmos/tx/{txHash}' }, CosmosIcsTestnet: TEST },
  ),
  ...bareNetworks(
    { family: 'canton', key: ED25519, addressForm: 'party id', symbol: 'CC', decimals: 10, slip44: 6767, tier: 3 },
    { Canton: {}, CantonDevnet: TEST, CantonTestnet: TEST },
  ),
  ...bareNetworks(
    {
      ...{ family: 'cardano', key: ED25519, addressForm: 'bech32 with the prefix addr', tier: 2 },
      ...{ symbol: 'ADA', decimals: 6, slip44: 1815 },
    },
    {
      Cardano: { explorer: 'https://cardanoscan.io/transaction/{txHash}' },
      CardanoPreprod: {
        ...{ ...TEST, addressForm: 'bech32 with the prefix addr_test' },
        explorer: 'https://preprod.cardanoscan.io/transaction/{txHash}',
      },
    },
  ),
  ...bareNetworks(
    { family: 'concordium', key: ED25519, addressForm: 'base58check', symbol: 'CCD', decimals: 6, slip44: 919, tier: 3 },
    { Concordium: {}, ConcordiumTestnet: TEST },
  ),
  ...bareNetworks(
    { family: 'hedera', key: ED25519, addressForm: 'account id 0.0.n', symbol: 'HBAR', decimals: 8, slip44: 3030, tier: 2 },
    {
      Hedera: { explorer: 'https://hashscan.io/mainnet/transaction/{txHash}' },
      HederaTestnet: { ...TEST, explorer: 'https://hashscan.io/testnet/transaction/{txHash}' },
    },
  ),
  ...bareNetworks(
    {
      ...{ family: 'icon', key: SECP256K1, addressForm: 'hx and 40 hexadecimal digits', tier: 3 },
      ...{ symbol: 'ICX', decimals: 18, slip44: 74 },
    },
    {
      IconTestnet: {
        ...TEST,
        standing: 'Unclear',
        note: 'ICON has had several test networks; no source says which one is meant',
      },
    },
  ),
  ...bareNetworks(
    { ...ICP, tier: 2, symbol: 'ICP' },
    {
      InternetComputer: { explorer: 'https://dashboard.internetcomputer.org/transaction/{txHash}' },
      Origyn: { symbol: 'OGY', standing: 'Unclear', note: `the ledger of OGY on the Internet Computer: ${UNCONFIRMED}` },
    },
  ),
  ...bareNetworks(
    { ...MOVE, family: 'iota', symbol: 'IOTA', decimals: 9, slip44: 4218 },
    {
      Iota: { explorer: 'https://explorer.iota.org/txblock/{txHash}' },
      IotaTestnet: { ...TEST, explorer: 'https://explorer.iota.org/txblock/{txHash}?network=testnet' },
      IotaZodianet: { ...TEST, standing: 'Retired', note: 'ended with the old IOTA ledger' },
    },
  ),
  ...bareNetworks(
    {
      ...{
        family: 'kaspa',
        key: { scheme: 'Schnorr', curve: 'secp256k1' },
        addressForm: 'bech32 with the prefix kaspa',
        tier: 2,
      },
      ...{ symbol: 'KAS', decimals: 8, slip44: 111_111 },
    },
    {
      Kaspa: { explorer: 'https://explorer.kaspa.org/txs/{txHash}' },
      KaspaTestnet11: { ...TEST, standing: 'Retired', note: 'ended in 2025', addressForm: 'bech32 with the prefix kaspatest' },
    },
  ),
  ...bareNetworks(
    {
      family: 'near',
      key: ED25519,
      addressForm: '64 hexadecimal digits or a name',
      symbol: 'NEAR',
      decimals: 24,
      slip44: 397,
      tier: 2,
    },
    {
      Near: { explorer: 'https://nearblocks.io/txns/{txHash}' },
      NearTestnet: { ...TEST, explorer: 'https://testnet.nearblocks.io/txns/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...SS58, symbol: 'DOT' },
    {
      Polkadot: { explorer: 'https://polkadot.subscan.io/extrinsic/{txHash}', note: ASSET_HUB },
      PolkadotAssetHub: { explorer: 'https://assethub-polkadot.subscan.io/extrinsic/{txHash}' },
      Paseo: {
        ...{ ...TEST, symbol: 'PAS', explorer: 'https://paseo.subscan.io/extrinsic/{txHash}' },
        note: `${ASSET_HUB}; the chain specifications of Paseo disagree on the prefix, so addresses are compared by key`,
      },
      PaseoAssetHub: { ...TEST, symbol: 'PAS', explorer: 'https://assethub-paseo.subscan.io/extrinsic/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...SS58, addressForm: 'SS58 with the prefix 2', symbol: 'KSM', decimals: 12, slip44: 434 },
    {
      Kusama: { explorer: 'https://kusama.subscan.io/extrinsic/{txHash}', note: ASSET_HUB },
      KusamaAssetHub: { explorer: 'https://assethub-kusama.subscan.io/extrinsic/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...SS58, addressForm: 'SS58 with the prefix 42', symbol: 'WND', decimals: 12 },
    {
      Westend: { ...TEST, explorer: 'https://westend.subscan.io/extrinsic/{txHash}', note: ASSET_HUB },
      WestendAssetHub: { ...TEST, explorer: 'https://assethub-westend.subscan.io/extrinsic/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...SS58, family: 'polymesh', addressForm: 'SS58 with the prefix 12', symbol: 'POLYX', decimals: 6, slip44: 595 },
    {
      Polymesh: { explorer: 'https://polymesh.subscan.io/extrinsic/{txHash}' },
      PolymeshTestnet: { ...TEST, addressForm: 'SS58 with the prefix 42' },
    },
  ),
  ...bareNetworks(
    {
      ...{
        family: 'starknet',
        key: { scheme: 'ECDSA', curve: 'stark' },
        addressForm: '0x and up to 64 hexadecimal digits',
        tier: 2,
      },
      ...{ symbol: 'STRK', decimals: 18, slip44: 9004 },
    },
    {
      Starknet: { explorer: 'https://voyager.online/tx/{txHash}' },
      StarknetSepolia: { ...TEST, explorer: 'https://sepolia.voyager.online/tx/{txHash}' },
    },
  ),
  ...bareNetworks(
    {
      family: 'stellar',
      key: ED25519,
      addressForm: 'G and 55 characters (StrKey)',
      symbol: 'XLM',
      decimals: 7,
      slip44: 148,
      tier: 2,
    },
    {
      Stellar: { explorer: 'https://stellar.expert/explorer/public/tx/{txHash}' },
      StellarTestnet: { ...TEST, explorer: 'https://stellar.expert/explorer/testnet/tx/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...MOVE, family: 'sui', symbol: 'SUI', decimals: 9, slip44: 784 },
    {
      Sui: { explorer: 'https://suiscan.xyz/mainnet/tx/{txHash}' },
      SuiTestnet: { ...TEST, explorer: 'https://suiscan.xyz/testnet/tx/{txHash}' },
    },
  ),
  ...bareNetworks(
    {
      family: 'tezos',
      key: ED25519,
      addressForm: 'base58 with the prefix tz1',
      symbol: 'XTZ',
      decimals: 6,
      slip44: 1729,
      tier: 2,
    },
    {
      Tezos: { explorer: 'https://tzkt.io/{txHash}' },
      TezosGhostnet: {
        ...TEST,
        standing: 'Deprecated',
        note: 'replaced by Shadownet',
        explorer: 'https://ghostnet.tzkt.io/{txHash}',
      },
      TezosShadownet: { ...TEST, explorer: 'https://shadownet.tzkt.io/{txHash}' },
    },
  ),
  ...bareNetworks(
    { ...TON, symbol: 'TON' },
    {
      Ton: { explorer: 'https://tonviewer.com/transaction/{txHash}' },
      TonTestnet: { ...TEST, explorer: 'https://testnet.tonviewer.com/transaction/{txHash}' },
      Ion: { symbol: 'ION', standing: 'Unclear', note: `the Ice Open Network, a chain built on TON: ${UNCONFIRMED}` },
      IonTestnet: { ...TEST, symbol: 'ION', standing: 'Unclear', note: `a chain built on TON: ${UNCONFIRMED}` },
    },
  ),
  ...bareNetworks(
    {
      family: 'tron',
      key: SECP256K1,
      addressForm: 'base58 with the first letter T',
      symbol: 'TRX',
      decimals: 6,
      slip44: 195,
      tier: 2,
    },
    {
      Tron: { explorer: 'https://tronscan.org/#/transaction/{txHash}' },
      TronNile: { ...TEST, explorer: 'https://nile.tronscan.org/#/transaction/{txHash}' },
    },
  ),
  ...bareNetworks(
    {
      family: 'xrpl',
      key: SECP256K1,
      addressForm: 'base58 with the first letter r',
      symbol: 'XRP',
      decimals: 6,
      slip44: 144,
      tier: 2,
    },
    {
      XrpLedger: { explorer: 'https://livenet.xrpl.org/transactions/{txHash}' },
      XrpLedgerTestnet: { ...TEST, explorer: 'https://testnet.xrpl.org/transactions/{txHash}' },
    },
  ),
} as const;
