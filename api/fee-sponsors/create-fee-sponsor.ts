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
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: FeeSponsorBody,
  response: FeeSponsor,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
