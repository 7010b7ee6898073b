// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// A token with the interface of ERC-7984 for the local chain, which has no coprocessor that computes on ciphertexts. The token opens each
/// ciphertext itself, with the data that local/vendors/confidential-amounts.ts appends to the signature of the proof, and does not reveal the
/// amount. Any account may mint units.
contract LocalConfidentialToken {
    /// Address of the well-known key in local/vendors/confidential-amounts.ts.
    address private constant ATTESTER = 0x1201EcC59d8De2bf3b489601E7016A7238F9C62E;
    /// Two counts of one byte each, a handle, a signature and a hidden amount.
    uint256 private constant PROOF_BYTES = 2 + 32 + 65 + 8;

    string public constant name = "Local Confidential Dollar";
    string public constant symbol = "cLUSD";
    uint8 public constant decimals = 6;

    mapping(address => bytes32) public confidentialBalanceOf;
    mapping(bytes32 => uint64) private amounts;
    uint256 private made;

    event ConfidentialTransfer(address indexed from, address indexed to, bytes32 indexed amount);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x4958f2a4;
    }

    function mint(address to, uint64 units) external {
        emit ConfidentialTransfer(address(0), to, add(to, units));
    }

    /// If the sender has less than the amount, moves nothing and does not report that, as ERC-7984 requires.
    function confidentialTransfer(address to, bytes32 handle, bytes calldata proof) external returns (bytes32 moved) {
        require(to != address(0), "no recipient");
        uint64 asked = open(handle, proof);
        uint64 held = amounts[confidentialBalanceOf[msg.sender]];
        uint64 units = asked <= held ? asked : 0;
        confidentialBalanceOf[msg.sender] = named(held - units);
        moved = add(to, units);
        emit ConfidentialTransfer(msg.sender, to, moved);
    }

    /// For tests: returns a balance that a public chain would not reveal.
    function revealed(address account) external view returns (uint64) {
        return amounts[confidentialBalanceOf[account]];
    }

    function add(address to, uint64 units) private returns (bytes32) {
        confidentialBalanceOf[to] = named(amounts[confidentialBalanceOf[to]] + units);
        return named(units);
    }

    function named(uint64 units) private returns (bytes32 handle) {
        made += 1;
        uint256 hash = uint256(keccak256(abi.encode(address(this), made))) & ~uint256(type(uint88).max);
        handle = bytes32(hash | (0xff << 80) | (block.chainid << 16) | (5 << 8));
        amounts[handle] = units;
    }

    function open(bytes32 handle, bytes calldata proof) private view returns (uint64) {
        require(proof.length == PROOF_BYTES && proof[0] == 0x01 && proof[1] == 0x01, "proof");
        require(bytes32(proof[2:34]) == handle, "handle");
        bytes8 hidden = bytes8(proof[99:107]);
        bytes32 digest = keccak256(abi.encode(handle, hidden, msg.sender, address(this), block.chainid));
        require(
            ecrecover(digest, uint8(proof[98]), bytes32(proof[34:66]), bytes32(proof[66:98])) == ATTESTER,
            "not attested"
        );
        return uint64(hidden ^ bytes8(keccak256(abi.encode(handle))));
    }
}
