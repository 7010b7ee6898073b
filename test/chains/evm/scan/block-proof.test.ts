import { bytesToHex, hexToBytes, keccak256, serializeTransaction, toRlp } from 'viem';
import { areReceiptsProved, isBodyProved } from '../../../../chains/evm/scan/block-proof';
import { FullBlockReply } from '../../../../chains/evm/scan/block-schemas';
import { orderedTrieRoot } from '../../../../chains/evm/scan/ordered-trie';

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`;

/** The first block of Ethereum, which is part of every client (go-ethereum, core/genesis.go and params/config.go). */
const GENESIS = {
  hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  parentHash: zeros(32),
  sha3Uncles: NO_UNCLES,
  miner: zeros(20),
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: zeros(256),
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: zeros(32),
  nonce: '0x0000000000000042',
  transactions: [],
};

test('the first block of Ethereum is proved only by its own header', () => {
  expect(isBodyProved(FullBlockReply.parse(GENESIS))).toBe(true);
  expect(areReceiptsProved(FullBlockReply.parse(GENESIS), [])).toBe(true);
  for (const other of [
    { gasLimit: '0x1389' },
    { timestamp: '0x1' },
    { receiptsRoot: NO_UNCLES },
    { nonce: '0x0000000000000043' },
  ])
    expect(isBodyProved(FullBlockReply.parse({ ...GENESIS, ...other }))).toBe(false);
});

describe('members that Ethereum did not have from the beginning', () => {
  const sixteen = { ...GENESIS, baseFeePerGas: '0x7', withdrawalsRoot: EMPTY_ROOT, blobGasUsed: '0x0', excessBlobGas: '0x1' };
  const later = { ...sixteen, parentBeaconBlockRoot: NO_UNCLES, requestsHash: EMPTY_ROOT };
  const first = ['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'] as const;
  const numbers = ['0x0400000000', '0x', '0x1388', '0x', '0x'] as const;
  const header = [
    ...first.map((name) => GENESIS[name]),
    ...numbers,
    ...[GENESIS.extraData, GENESIS.mixHash, GENESIS.nonce, '0x07', EMPTY_ROOT, '0x', '0x01', NO_UNCLES, EMPTY_ROOT],
  ] as `0x${string}`[];
  const isProvedAs = (block: object) => isBodyProved(FullBlockReply.parse(block));

  test('the header of Tempo contains the header of Ethereum and, in later blocks, the position in the consensus', () => {
    const own = { mainBlockGeneralGasLimit: '0x10', sharedGasLimit: '0x0', timestampMillisPart: '0x1f4' };
    const hash = keccak256(toRlp(['0x10', '0x', '0x01f4', header]));
    expect(isProvedAs({ ...later, ...own, hash })).toBe(true);
    expect(isProvedAs({ ...later, ...own, timestampMillisPart: '0x1f5', hash })).toBe(false);
    const consensusContext = { epoch: 1, view: 5, parentView: 4, proposer: NO_UNCLES };
    const context = ['0x01', '0x05', '0x04', NO_UNCLES] as `0x${string}`[];
    const withContext = keccak256(toRlp(['0x10', '0x', '0x01f4', header, context]));
    expect(isProvedAs({ ...later, ...own, consensusContext, hash: withContext })).toBe(true);
    expect(isProvedAs({ ...later, ...own, consensusContext: { ...consensusContext, view: 6 }, hash: withContext })).toBe(false);
    expect(isProvedAs({ ...later, ...own, hash: withContext })).toBe(false);
  });

  test('in the header, the list of accesses and the slot come after the requests (EIP-7928, EIP-7843)', () => {
    const hash = keccak256(toRlp([...header, NO_UNCLES, '0x0200']));
    expect(isProvedAs({ ...later, blockAccessListHash: NO_UNCLES, slotNumber: '0x200', hash })).toBe(true);
    expect(isProvedAs({ ...later, blockAccessListHash: NO_UNCLES, slotNumber: '0x201', hash })).toBe(false);
  });
});

test("the transactions of Ethereum's block 46147, the first block with a transaction, have the published root", () => {
  const raw = serializeTransaction(
    {
      type: 'legacy',
      nonce: 0,
      gasPrice: 50_000_000_000_000n,
      gas: 21_000n,
      to: '0x5df9b87991262f6ba471f09758cde1c0fc1de734',
      value: 31_337n,
    },
    {
      v: 28n,
      r: '0x88ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0',
      s: '0x45e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a',
    },
  );
  expect(bytesToHex(orderedTrieRoot([hexToBytes(raw)]))).toBe(
    '0x4513310fcb9f6f616972a3b948dc5d547f280849a87ebb5af0191f98b87be598',
  );
});

test('the root of an empty list of values is the published root', () => {
  expect(bytesToHex(orderedTrieRoot([]))).toBe(EMPTY_ROOT);
});

test('a value of any length and at any index changes the root, and so does the order', () => {
  const values = Array.from({ length: 300 }, (_, index) => hexToBytes(toRlp(`0x${'ab'.repeat(1 + (index % 70))}`)));
  const root = bytesToHex(orderedTrieRoot(values));
  for (const index of [0, 1, 15, 16, 127, 128, 129, 255, 256, 299]) {
    const changed = values.map((value, at) => (at === index ? Uint8Array.of(...value, 1) : value));
    expect(bytesToHex(orderedTrieRoot(changed))).not.toBe(root);
    expect(bytesToHex(orderedTrieRoot(values.filter((_, at) => at !== index)))).not.toBe(root);
  }
  expect(bytesToHex(orderedTrieRoot([...values].reverse()))).not.toBe(root);
});
