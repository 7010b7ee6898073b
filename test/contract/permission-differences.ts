/** Permissions that later documentation demands. Some are demanded only under a condition, for example for a derived key. */
export const LATER_PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  cancelTransaction: ['Wallets:Transactions:Read'],
  cancelTransfer: ['Wallets:Transfers:Read'],
  createKey: ['Keys:ChildKeys:Create'],
  createWallet: ['Keys:ChildKeys:Create'],
  speedUpTransaction: ['Wallets:Transactions:Read'],
  speedUpTransfer: ['Wallets:Transfers:Read'],
};

/** Permissions that the published client names without the operations that need them. */
export const UNSTATED_PERMISSIONS: Readonly<Record<string, string>> = {
  createCloneInput: 'KeyStores:Instructions:Fleets:Clone',
  submitCloneOutput: 'KeyStores:Instructions:Fleets:Clone',
  createGenesisInput: 'KeyStores:Instructions:Fleets:Create',
  submitGenesisOutput: 'KeyStores:Instructions:Fleets:Create',
  createOnchainSignInput: 'KeyStores:Instructions:Keys:Sign',
  submitOnchainSignOutput: 'KeyStores:Instructions:Keys:Sign',
  createProofOfControlInput: 'KeyStores:Instructions:Keys:ProveControl',
  submitProofOfControlOutput: 'KeyStores:Instructions:Keys:ProveControl',
};
