// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// The least that an image record on chain can be (docs/guides/merchant.md); for tests, not for use.
contract ImageRecord {
    struct Hashes {
        bytes32 uhash;
        bytes phash;
    }

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event ImageRecorded(uint256 indexed tokenId, bytes32 indexed uhash, bytes phash);

    mapping(uint256 => Hashes) private hashes;

    /// Form A: the event names the image.
    function mint(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        mintQuietly(tokenId, uhash, phash);
        emit ImageRecorded(tokenId, uhash, phash);
    }

    /// Form B: the token's data names the image.
    function mintQuietly(uint256 tokenId, bytes32 uhash, bytes calldata phash) public {
        require(hashes[tokenId].uhash == 0, "minted before");
        hashes[tokenId] = Hashes(uhash, phash);
        emit Transfer(address(0), msg.sender, tokenId);
    }

    /// A token of which nothing is recorded.
    function mintBlank(uint256 tokenId) external {
        emit Transfer(address(0), msg.sender, tokenId);
    }

    function imageRecord(uint256 tokenId) external view returns (bytes32 uhash, bytes memory phash) {
        return (hashes[tokenId].uhash, hashes[tokenId].phash);
    }
}
