/**
 * The address in `address` and in `verifyingContract` stands for the address of the signing key. A test replaces both addresses
 * and signs the request.
 */
export const SMART_ACCOUNT_EXAMPLE = {
  kind: 'SvcSmartAccountTransaction',
  structured: {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    userOperations: [
      {
        to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        value: '1000',
      },
    ],
    message: {
      kind: 'Eip712',
      domain: {
        name: 'Account',
        version: '1',
        chainId: 11_155_111,
        verifyingContract: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
      types: {
        Execute: [
          {
            name: 'calls',
            type: 'Call[]',
          },
          {
            name: 'nonce',
            type: 'uint256',
          },
        ],
        Call: [
          {
            name: 'to',
            type: 'address',
          },
          {
            name: 'value',
            type: 'uint256',
          },
          {
            name: 'data',
            type: 'bytes',
          },
        ],
      },
      message: {
        calls: [
          {
            to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
            value: '1000',
            data: '0x',
          },
        ],
        nonce: '0',
      },
    },
    authorization: {
      kind: 'Eip7702',
      address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
      nonce: 0,
      chainId: 11_155_111,
    },
  },
};
