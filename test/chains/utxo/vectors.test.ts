import { secp256k1 } from '@noble/curves/secp256k1.js';
import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import type { OutputForm } from '../../../chains/utxo/types';
import { NETWORKS_OF, type NetworkName } from '../../../domain/networks';
import { schnorrSecp256k1 } from '../../../signer/schemes/schnorr';
import { COMPRESSED, fundedCoins, SECRET, X_ONLY } from './coins';

/** The public key of the secret 2. */
const OTHER = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

function signed(digest: Uint8Array, isTaproot: boolean) {
  if (isTaproot) return schnorrSecp256k1.sign(digest, Buffer.from(SECRET), X_ONLY, { taprootMerkleRoot: new Uint8Array() });
  const compact = secp256k1.sign(digest, SECRET, { prehash: false, lowS: true });
  return { r: hexOf(compact.subarray(0, 32)), s: hexOf(compact.subarray(32)) };
}

/** Sends 1.2 of 1.5 coins to the key of the secret 2 for a fee of 10,000 units. The digests come from the decoder. */
function transferOf(network: NetworkName, form: OutputForm) {
  const publicKeyHex = form === 'P2TR' ? X_ONLY : COMPRESSED;
  const { address: from, coins, previous } = fundedCoins(network, publicKeyHex, form, [100_000_000n, 50_000_000n]);
  const codec = utxoCodecOf(network);
  const intent = { network, from, to: codec.addressOf(OTHER), amountUnits: 120_000_000n, publicKeyHex };
  const unsigned = codec.build(intent, { coins, feeUnits: 10_000n, changeUnits: 29_990_000n }, previous);
  const digests = utxoDecoderOf(network).digestsOf(unsigned.bytesHex, publicKeyHex);
  const signatures = digests.map(({ digest, isTaproot }) => signed(digest, isTaproot));
  return codec.attach(unsigned, signatures, publicKeyHex);
}

/**
 * The transactions of independent implementations. embit 0.8.0 (Python) signed the same coins with RFC 6979 and zero auxiliary
 * bytes. libauth 3.0.0 signed the transaction of Bitcoin Cash, and libauth's virtual machine accepts that transaction.
 */
const SIGNED: Readonly<Record<string, { readonly txHash: string; readonly rawHex: string }>> = {
  P2WPKH: {
    txHash: '31cdba8b3ca01bde57fdc3da0beb45bc38d48192a33b4e1f4031844c0f9f818d',
    rawHex:
      '0200000000010272536a1f4f7e0019f683263bb67cbefdd2c3538dba89fd84a7bf3a4a7d6bfbd60000000000fdffffff72536a1f4f7e0019f683263bb67cbefdd2c3538dba89fd84a7bf3a4a7d6bfbd60100000000fdffffff02000e27070000000016001406afd46bcdfd22ef94ac122aa11f241244a37ecc709cc9010000000016001479b000887626b294a914501a4cd226b58b23598302483045022100d16f7902380992e8c9b2fd3fb75f5158d8519ec3888020beeb16562fb6f4eb7802205a69ff40dd856153badae150f7e6e1bab53735d903813370a01782b8151b44b40121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f02473044022058997c7ed5c6ae99f0e8a90f487d4d3cbe262edac03b39f5d389b7d18774d66f02205bbebd0a848cb6ec2f402b896b06faac528b80a3046e20a857fa05f8cb6422a80121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f00000000',
  },
  'P2SH-P2WPKH': {
    txHash: '4fcab28bbcaab33dab8dfd4cf8ff6b9478c29690a151be1afa19fc75f91f08e0',
    rawHex:
      '020000000001022b24a3fd727bc0ddea3fac3ced843a764b800e2eb72e6596793a7a3b086272de000000001716001479b000887626b294a914501a4cd226b58b235983fdffffff2b24a3fd727bc0ddea3fac3ced843a764b800e2eb72e6596793a7a3b086272de010000001716001479b000887626b294a914501a4cd226b58b235983fdffffff02000e27070000000016001406afd46bcdfd22ef94ac122aa11f241244a37ecc709cc9010000000017a91427f7b1d97b04ec10e77d4b1527dbb8c9f92c54b5870247304402207c2e7bd17de049f599c007f9ad01911c4f8f7ec975f775516a17edb5ce9675e30220128f6b181283e132e98d71443157411107345ac2b787e255e35b69d05112444d0121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f02483045022100b316d8a6fec70fc93f65a3f71808d8a549e3b59db19f51e5cea6e13196d90b0c022050b421ea4866836808d529ccb4f941e911d5dc90941a13c58b998b8bb971db240121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f00000000',
  },
  P2PKH: {
    txHash: '0d021155cbfdb4d5f6b0fbbba49d1fd78283001b308a8c49ec15d853f05a3785',
    rawHex:
      '0200000002005ba849ff3440b3b2ae5d0276530913bee496f3fcafe298f9f39842c2c9d2da000000006b483045022100e42e0b76f25f4c73b36cd58c8f93de3f0b9f521523649cd953320675e66c4451022065714c6518df1efb130fc2635905cea8f379e980a4e83a7efb9cc4a56c84395e0121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078ffdffffff005ba849ff3440b3b2ae5d0276530913bee496f3fcafe298f9f39842c2c9d2da010000006a47304402207dad64f1e4788af39b40e0e8c3e86740514bf7f6992e55364678f6671b09f2ee0220224d8b7c3253f63e415a2b8f5acb46d2d565d46d92c4804e2ca01d7d665a142d0121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078ffdffffff02000e27070000000016001406afd46bcdfd22ef94ac122aa11f241244a37ecc709cc901000000001976a91479b000887626b294a914501a4cd226b58b23598388ac00000000',
  },
  'final P2PKH': {
    txHash: 'fcbc0db4ede03b638dd19b0e6f16dfeec1c4d67c4841ed43535a13ed0ee17087',
    rawHex:
      '0200000002005ba849ff3440b3b2ae5d0276530913bee496f3fcafe298f9f39842c2c9d2da000000006a4730440220628df63556c939e38dbf67c8c005441f4f25a654dccd15f1ced97cabdb42afef02205f763a3a84b96bab6515a219d3e8298fd2b1ebbb1c57abcdd83846ad308c12d80121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fffffffff005ba849ff3440b3b2ae5d0276530913bee496f3fcafe298f9f39842c2c9d2da010000006a4730440220394d7f8e4c3318388f16a50726f5cfaed6481df4ac7a5ba28b3465ccd1219f21022035130060f5963d83f7c74cfeba3c1068730b9f19498c8ba82148feaccd0a5bda0121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fffffffff02000e2707000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac709cc901000000001976a91479b000887626b294a914501a4cd226b58b23598388ac00000000',
  },
  P2TR: {
    txHash: '2965b093449a8763aabe56a24d39968a87085a2e95f301f1d9448e67671a9fa0',
    rawHex:
      '02000000000102e3e1da69c2743cfc2c10ab81f3da4e6ee4a17f565cc422bf7580c065f6bfbcd10000000000fdffffffe3e1da69c2743cfc2c10ab81f3da4e6ee4a17f565cc422bf7580c065f6bfbcd10100000000fdffffff02000e27070000000016001406afd46bcdfd22ef94ac122aa11f241244a37ecc709cc901000000002251208c5db7f797196d6edc4dd7df6048f4ea6b883a6af6af032342088f436543790f0140b961ce6f1771a6ac300144c36be8ef2a638b6356f41fb3dcc6fa4328eaa531f2c9ee07727a99c3c69774ada450337bcb8097c320fe806e1f61a6b35857ab76df0140a23c130797e1a2b47fea5848fa1e0f13a3339a79e4651186ce3489669264f1d158821cb0c691b85453abc08338d26c396b4a7f2afb690b7c6cd07e85cc83c87a00000000',
  },
  'ForkId P2PKH': {
    txHash: 'b98d5be825bcc51e87fb440d4238a80854f7ab3217d2540f39286619eac61fd8',
    rawHex:
      '0200000002005ba849ff3440b3b2ae5d0276530913bee496f3fcafe298f9f39842c2c9d2da000000006b483045022100ac7b16664e36885084e7e8e412a3edcf636630e59201db4aa5c31ea4098672f20220153a634d0a24a01ee7b0701f912022a0c17a707a1060bbc074c192d7607e99b94121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fffffffff005ba849ff3440b3b2ae5d0276530913bee496f3fcafe298f9f39842c2c9d2da010000006b483045022100b3b225c936c1542f5fdc4bfa76cc7f5acd918ab5457e06854038302dd9062bac022072a48d18b819c817012cc4e80334efea46ad9fbb2a90fa5406adb9282448ae664121031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fffffffff02000e2707000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac709cc901000000001976a91479b000887626b294a914501a4cd226b58b23598388ac00000000',
  },
};

test.each<[NetworkName, OutputForm, string]>([
  ['Bitcoin', 'P2WPKH', 'P2WPKH'],
  ['BitcoinSignet', 'P2WPKH', 'P2WPKH'],
  ['BitcoinTestnet3', 'P2WPKH', 'P2WPKH'],
  ['BitcoinTestnet4', 'P2WPKH', 'P2WPKH'],
  ['Litecoin', 'P2WPKH', 'P2WPKH'],
  ['LitecoinTestnet', 'P2WPKH', 'P2WPKH'],
  ['Bitcoin', 'P2TR', 'P2TR'],
  ['Litecoin', 'P2TR', 'P2TR'],
  ['Bitcoin', 'P2SH-P2WPKH', 'P2SH-P2WPKH'],
  ['Bitcoin', 'P2PKH', 'P2PKH'],
  ['Dogecoin', 'P2PKH', 'final P2PKH'],
  ['DogecoinTestnet', 'P2PKH', 'final P2PKH'],
  ['BitcoinCash', 'P2PKH', 'ForkId P2PKH'],
  ['BitcoinCashTestnet', 'P2PKH', 'ForkId P2PKH'],
])('%s: a signed transfer of %s coins equals the transfer of an independent implementation', (network, form, name) => {
  const { rawHex, txHash } = transferOf(network, form);
  expect({ rawHex, txHash }).toEqual(SIGNED[name]);
});

/** The addresses of the secret 32 × 0x01, computed by embit 0.8.0, and for Bitcoin Cash by libauth 3.0.0. */
const ADDRESSES: Readonly<Record<(typeof NETWORKS_OF.utxo)[number], string>> = {
  Bitcoin: 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw',
  BitcoinSignet: 'tb1q0xcqpzrky6eff2g52qdye53xkk9jxkvraulyla',
  BitcoinTestnet3: 'tb1q0xcqpzrky6eff2g52qdye53xkk9jxkvraulyla',
  BitcoinTestnet4: 'tb1q0xcqpzrky6eff2g52qdye53xkk9jxkvraulyla',
  BitcoinCash: 'bitcoincash:qpumqqygwcnt999fz3gp5nxjy66ckg6esvls5sszem',
  BitcoinCashTestnet: 'bchtest:qpumqqygwcnt999fz3gp5nxjy66ckg6esvmzshj478',
  Dogecoin: 'DGEX9JsfNuCCA3ovxAmUSM1GCea1BpY4Et',
  DogecoinTestnet: 'nfHasKcaJsev32P7yzQvgkbZSWxJC8W4Vf',
  Litecoin: 'ltc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrnx7nu7',
  LitecoinTestnet: 'tltc1q0xcqpzrky6eff2g52qdye53xkk9jxkvry5a605',
};
test.each(NETWORKS_OF.utxo)(
  '%s: the address of an ECDSA key equals the address from an independent implementation',
  (network) => {
    expect(utxoCodecOf(network).addressOf(COMPRESSED)).toBe(ADDRESSES[network]);
    expect(utxoDecoderOf(network).addressOf(COMPRESSED)).toBe(ADDRESSES[network]);
  },
);

test.each([
  ['Bitcoin', 'bc1p33wm0auhr9kkahzd6l0kqj85af4cswn276hsxg6zpz85xe2r0y8syx4e5t'],
  ['BitcoinSignet', 'tb1p33wm0auhr9kkahzd6l0kqj85af4cswn276hsxg6zpz85xe2r0y8snwrkwy'],
  ['Litecoin', 'ltc1p33wm0auhr9kkahzd6l0kqj85af4cswn276hsxg6zpz85xe2r0y8s8zmfww'],
  ['LitecoinTestnet', 'tltc1p33wm0auhr9kkahzd6l0kqj85af4cswn276hsxg6zpz85xe2r0y8svdlh3m'],
] as const)('%s: the address of a Schnorr key equals the address from an independent implementation', (network, address) => {
  expect(utxoCodecOf(network).addressOf(X_ONLY)).toBe(address);
  expect(utxoDecoderOf(network).addressOf(X_ONLY)).toBe(address);
});
