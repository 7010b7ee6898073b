import { encodeFunctionData, parseAbi } from 'viem/utils';
import { AppError, invariant } from '../../domain/errors';
import type { TransferIntent } from '../types';

export const ERC20 = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
]);

export const ERC721 = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function supportsInterface(bytes4 id) view returns (bool)',
]);

export const ERC7984 = parseAbi([
  'function confidentialTransfer(address to, bytes32 encryptedAmount, bytes inputProof) returns (bytes32)',
  'function confidentialBalanceOf(address account) view returns (bytes32)',
]);

export type Hex = `0x${string}`;

export const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`;

export function callOf({ asset, from, to: recipient, amountUnits, encrypted }: TransferIntent): {
  to: Hex;
  value: bigint;
  data: Hex;
} {
  const to = asHex(recipient);
  switch (asset.kind) {
    case 'Native':
      return { to, value: amountUnits, data: '0x' };
    case 'Erc20':
      return tokenCall(asset.contract, encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, amountUnits] }));
    case 'Erc721': {
      invariant(amountUnits === 1n, 'a non-fungible token is moved as a count of one');
      const args = [asHex(from), to, BigInt(asset.tokenId)] as const;
      return tokenCall(asset.contract, encodeFunctionData({ abi: ERC721, functionName: 'safeTransferFrom', args }));
    }
    case 'Erc7984': {
      invariant(encrypted !== undefined, 'the amount is encrypted before the transfer is built');
      const args = [to, asHex(encrypted.handle), asHex(encrypted.inputProof)] as const;
      return tokenCall(asset.contract, encodeFunctionData({ abi: ERC7984, functionName: 'confidentialTransfer', args }));
    }
    default:
      throw new AppError('AssetNotSupported', `${asset.kind} is not moved on EVM networks`);
  }
}

const tokenCall = (contract: string, data: Hex) => ({ to: asHex(contract), value: 0n, data });
