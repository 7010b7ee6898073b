import { z } from 'zod';
import { createFeeSponsor as create } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorBody } from './schemas';

export const createFeeSponsor = operation({
  id: 'createFeeSponsor',
  method: 'post',
  path: '/fee-sponsors',
  tag: 'fee-sponsors',
  summary: 'Make a wallet pay the fees of other wallets on its network',
  description:
    'Transfers and transactions of other wallets on the same network can name the sponsor as `feeSponsorId`. The wallet must ' +
    'be active (409 `WrongState`), must not be delegated to an end user, and must be on a network on which fees can be ' +
    'sponsored: Solana, and EVM networks with EIP-7702; otherwise the call returns 400 `InvalidRequest`. It returns 400 ' +
    '`NetworkNotEnabled` for a wallet that only signs, and 409 `Conflict` for a wallet that is already a fee sponsor, until ' +
    'that sponsor is deleted.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: FeeSponsorBody,
  response: FeeSponsor,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
