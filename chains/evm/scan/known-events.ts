import { definitionOf, indexOf } from './event-definitions';

/**
 * Events with one meaning in many contracts, by the standard or the contract that defines them. `*` marks an indexed parameter.
 * `Transfer` is left out, because a transfer is recorded as movements of its sender and its receiver.
 */
const EVENTS = {
  'ERC-20': ['Approval(address* owner, address* spender, uint256 value)'],
  'ERC-721': [
    'Approval(address* owner, address* approved, uint256* tokenId)',
    'ApprovalForAll(address* owner, address* operator, bool approved)',
  ],
  'ERC-1155': [
    'TransferSingle(address* operator, address* from, address* to, uint256 id, uint256 value)',
    'TransferBatch(address* operator, address* from, address* to, uint256[] ids, uint256[] values)',
    'URI(string value, uint256* id)',
  ],
  'ERC-173': ['OwnershipTransferred(address* previousOwner, address* newOwner)'],
  'ERC-777': ['AuthorizedOperator(address* operator, address* holder)', 'RevokedOperator(address* operator, address* holder)'],
  'ERC-1967': ['Upgraded(address* implementation)', 'AdminChanged(address previousAdmin, address newAdmin)'],
  'ERC-4626': [
    'Deposit(address* sender, address* owner, uint256 assets, uint256 shares)',
    'Withdraw(address* sender, address* receiver, address* owner, uint256 assets, uint256 shares)',
  ],
  'ERC-4337': [
    'UserOperationEvent(bytes32* userOpHash, address* sender, address* paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
    'AccountDeployed(bytes32* userOpHash, address* sender, address factory, address paymaster)',
  ],
  'ERC-7984': ['OperatorSet(address* holder, address* operator, uint48 until)'],
  WETH9: ['Deposit(address* dst, uint256 wad)', 'Withdrawal(address* src, uint256 wad)'],
  OpenZeppelin: [
    'Paused(address account)',
    'Unpaused(address account)',
    'RoleGranted(bytes32* role, address* account, address* sender)',
    'RoleRevoked(bytes32* role, address* account, address* sender)',
  ],
} as const;

const PARAMETER = /^(\S+?)(\*?) (\w+)$/;

function entryOf(text: string) {
  const [, name = '', list = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  const inputs = list.split(', ').map((one) => {
    const [, type = '', mark, parameter = ''] = PARAMETER.exec(one) ?? [];
    return { type, name: parameter, indexed: mark === '*' };
  });
  return { type: 'event', name, inputs };
}

export const KNOWN_EVENTS = indexOf(
  Object.entries(EVENTS).flatMap(([standard, events]) => events.map((text) => definitionOf(entryOf(text), standard))),
);
