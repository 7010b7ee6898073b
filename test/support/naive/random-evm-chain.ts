import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, type SignedAuthorization } from 'viem';
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { FAUCET, type startAnvil } from '../../chains/evm/anvil';
import { type Dice, pick } from '../dice';
import { deploying, REVERT, RUNNER, SPENDER } from './evm-program';
import { type NaiveNode, naiveNode } from './node';
import { randomProgram } from './random-program';

type Anvil = Awaited<ReturnType<typeof startAnvil>>;
type Contracts = Readonly<Record<'runner' | 'spender' | 'reverter' | 'token' | 'unique', Hex>>;
type Accounts = [PrivateKeyAccount, ...PrivateKeyAccount[]];
type Order = { readonly to: Hex | null; readonly value?: bigint; readonly data?: Hex; readonly gas?: bigint };
type Wish = {
  readonly by: PrivateKeyAccount;
  readonly order: Order;
  readonly isLegacy?: boolean;
  readonly authorization?: SignedAuthorization;
};

export type RandomEvmChain = {
  readonly node: NaiveNode;
  readonly accounts: Readonly<Accounts>;
  readonly contracts: Contracts;
  readonly height: () => number;
  readonly mine: (isEmpty?: boolean) => Promise<void>;
  /** Replaces the newest blocks. Some of their transactions are in the new blocks again, and there can be fewer new blocks. */
  readonly reorganise: (depth: number) => Promise<void>;
};

/** The mnemonic of the accounts that every anvil has. */
const MNEMONIC = 'test test test test test test test test test test test junk';
const ACCOUNTS = 10;
const CHAIN_ID = 11_155_111;
const GAS = 2_000_000n;
const WEI_PER_GWEI = 1_000_000_000n;
const GAS_PRICE = 100n * WEI_PER_GWEI;
const TRANSACTIONS_MAX = 5;
const TOKENS = parseAbi([
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function approve(address,uint256)',
  'function mint(address)',
]);
const GIVEN_TOKENS = 1_000n;

function accountOf(addressIndex: number): PrivateKeyAccount {
  const { privateKey } = mnemonicToAccount(MNEMONIC, { addressIndex }).getHdKey();
  return privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString('hex')}`);
}

async function preset(anvil: Anvil, name: string, types: readonly string[], args: readonly unknown[]): Promise<Hex> {
  const path = join(__dirname, `../../../node_modules/@openzeppelin/contracts/build/contracts/${name}.json`);
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
  const encoded = encodeAbiParameters(
    types.map((type) => ({ type })),
    args,
  );
  return (await anvil.deploy(bytecode + encoded.slice(2))) as Hex;
}

async function deployAll(anvil: Anvil): Promise<Contracts> {
  const code = async (hex: string) => (await anvil.deploy(deploying(hex))) as Hex;
  const ofToken = ['string', 'string', 'uint256', 'address'];
  return {
    ...{ runner: await code(RUNNER), spender: await code(SPENDER), reverter: await code(REVERT) },
    token: await preset(anvil, 'ERC20PresetFixedSupply', ofToken, ['Dollar', 'USD', 1_000_000n, FAUCET]),
    unique: await preset(anvil, 'ERC721PresetMinterPauserAutoId', ['string', 'string', 'string'], ['Cats', 'CAT', '']),
  };
}

async function noncesOf(node: NaiveNode, accounts: readonly PrivateKeyAccount[]): Promise<Map<Hex, number>> {
  const counts = await node.askAll<string>(accounts.map(({ address }) => ['eth_getTransactionCount', address, 'latest']));
  return new Map(accounts.map(({ address }, at) => [address, Number(counts[at])]));
}

function signedBy({ by, order, isLegacy, authorization }: Wish, nonce: number, maxPriorityFeePerGas: bigint): Promise<Hex> {
  const common = { chainId: CHAIN_ID, gas: GAS, nonce, ...order };
  if (isLegacy === true) return by.signTransaction({ ...common, type: 'legacy', gasPrice: GAS_PRICE });
  const priced = { ...common, maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas };
  return authorization
    ? by.signTransaction({ ...priced, type: 'eip7702', authorizationList: [authorization] })
    : by.signTransaction({ ...priced, type: 'eip1559' });
}

/** A chain of random blocks on a real node, with every oddity of transfers that the machine allows. */
export async function startRandomEvmChain(anvil: Anvil, roll: Dice): Promise<RandomEvmChain> {
  const node = naiveNode(anvil.url);
  const accounts = Array.from({ length: ACCOUNTS }, (_, addressIndex) => accountOf(addressIndex)) as Accounts;
  const contracts = await deployAll(anvil);
  for (const { address } of accounts) {
    const transfer = encodeFunctionData({ abi: TOKENS, functionName: 'transfer', args: [address, GIVEN_TOKENS] });
    const mint = encodeFunctionData({ abi: TOKENS, functionName: 'mint', args: [address] });
    const common = { from: FAUCET, gas: '0x4c4b40' };
    await node.ask('eth_sendTransaction', { ...common, to: contracts.token, data: transfer });
    await node.ask('eth_sendTransaction', { ...common, to: contracts.unique, data: mint });
  }
  await node.ask('evm_setAutomine', false);
  const wish = createWishes(roll, accounts, contracts);
  const sent = new Map<string, Hex>();

  /** After a reorganisation a node may refuse what the earlier chain contained. */
  async function submit(raws: readonly Hex[]): Promise<void> {
    const hashes = await node.tryAll<string>(raws.map((raw) => ['eth_sendRawTransaction', raw]));
    for (const [at, hash] of hashes.entries()) if (hash !== undefined) sent.set(hash, raws[at] as Hex);
  }

  async function send(): Promise<void> {
    const nonces = await noncesOf(node, accounts);
    const raws: Hex[] = [];
    for (let more = roll(TRANSACTIONS_MAX); more > 0; more -= 1) {
      const wanted = await wish(nonces);
      const nonce = nonces.get(wanted.by.address) ?? 0;
      nonces.set(wanted.by.address, nonce + 1);
      raws.push(await signedBy(wanted, nonce, BigInt(roll(4)) * WEI_PER_GWEI));
    }
    await submit(raws);
  }

  const seal = async () => {
    await node.ask('evm_mine');
    await node.ask('anvil_dropAllTransactions');
    head += 1;
  };
  let head = Number(await node.ask('eth_blockNumber'));

  return {
    ...{ node, accounts, contracts, height: () => head },
    mine: async (isEmpty = false) => {
      if (!isEmpty) await send();
      await seal();
    },
    reorganise: async (depth) => {
      const heights = Array.from({ length: depth }, (_, at) => `0x${(head - depth + 1 + at).toString(16)}`);
      const left = await node.askAll<{ transactions: string[] }>(heights.map((at) => ['eth_getBlockByNumber', at, false]));
      const kept = left.map(({ transactions }) => transactions.flatMap((hash) => sent.get(hash) ?? []));
      await node.ask('anvil_rollback', depth);
      head -= depth;
      for (let at = depth - 1 + roll(3) - 1; at >= 0; at -= 1) {
        await submit(
          kept
            .splice(0, 1 + roll(2))
            .flat()
            .filter(() => roll(4) > 0),
        );
        if (roll(2) === 0) await send();
        await seal();
      }
    },
  };
}

/** Chooses the next transaction, which may fail. */
function createWishes(roll: Dice, accounts: Readonly<Accounts>, contracts: Contracts) {
  const { runner, spender, reverter, token, unique } = contracts;
  const addresses = accounts.map(({ address }) => address) as [Hex, ...Hex[]];
  const parties = [...addresses, runner, spender, reverter] as const;
  const someone = () => pick(roll, addresses);
  const program = (): Hex => `0x${randomProgram(roll, { parties: [...parties], runner })}`;
  const value = () => BigInt(roll(5) === 0 ? 0 : roll(1_000_000));
  const encoded = (functionName: 'transfer' | 'transferFrom' | 'approve' | 'mint', args: readonly unknown[]) =>
    encodeFunctionData({ abi: TOKENS, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
  const amount = () => BigInt(roll(4) === 0 ? 0 : roll(120));
  const kinds: readonly [() => Order, ...(() => Order)[]] = [
    () => ({ to: someone(), value: value() }),
    () => ({ to: pick(roll, parties), value: value() }),
    () => ({ to: null, value: BigInt(roll(40)), data: program() }),
    () => ({ to: runner, value: BigInt(roll(40)), data: program() }),
    () => ({ to: someone(), value: BigInt(roll(40)), data: program() }),
    () => ({ to: reverter, value: value() }),
    () => ({ to: runner, value: value(), data: program(), gas: 60_000n }),
    () => ({ to: token, data: encoded('transfer', [someone(), amount()]) }),
    () => ({ to: token, data: encoded('approve', [someone(), 10_000n]) }),
    () => ({ to: token, data: encoded('transferFrom', [someone(), someone(), amount()]) }),
    () => ({ to: unique, data: encoded('transferFrom', [someone(), someone(), BigInt(roll(ACCOUNTS))]) }),
    () => ({ to: someone(), data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [someone(), value()]) }),
  ];
  return async (nonces: Map<Hex, number>): Promise<Wish> => {
    const by = pick(roll, accounts);
    if (roll(6) > 0) return { by, order: pick(roll, kinds)(), isLegacy: roll(3) === 0 };
    const owner = pick(roll, accounts);
    const nonce = (nonces.get(owner.address) ?? 0) + (owner === by ? 1 : 0) + (roll(5) === 0 ? 1 : 0);
    const contractAddress = pick(roll, [runner, spender, spender, `0x${'0'.repeat(40)}`] as const);
    const authorization = await owner.signAuthorization({ chainId: CHAIN_ID, contractAddress, nonce });
    if (owner !== by) nonces.set(owner.address, nonce + 1);
    const data = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [someone(), value()]);
    return { by, order: { to: owner.address, value: value(), data }, authorization };
  };
}
