// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// The least that an image record on chain can be (docs/guides/merchant.md), as ERC-721 and as ERC-1155, and some that are
/// none; for tests, not for use.
contract ImageRecord {
    struct Hashes {
        bytes32 uhash;
        bytes phash;
    }

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ImageRecorded(uint256 indexed tokenId, bytes32 indexed uhash, bytes phash);

    mapping(uint256 => Hashes) private hashes;
    mapping(uint256 => address) private owners;
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    /// Form A: the event names the image.
    function mint(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        mintQuietly(tokenId, uhash, phash);
        emit ImageRecorded(tokenId, uhash, phash);
    }

    /// Form B: the token's data names the image.
    function mintQuietly(uint256 tokenId, bytes32 uhash, bytes calldata phash) public {
        keep(tokenId, uhash, phash);
        owners[tokenId] = msg.sender;
        emit Transfer(address(0), msg.sender, tokenId);
    }

    /// A token of which nothing is recorded.
    function mintBlank(uint256 tokenId) external {
        owners[tokenId] = msg.sender;
        emit Transfer(address(0), msg.sender, tokenId);
    }

    /// ERC-1155, form A.
    function mintSingle(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        keep(tokenId, uhash, phash);
        balanceOf[msg.sender][tokenId] = 3;
        emit TransferSingle(msg.sender, address(0), msg.sender, tokenId, 3);
        emit ImageRecorded(tokenId, uhash, phash);
    }

    /// ERC-1155, form B; the token is one of two.
    function mintBatch(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        keep(tokenId, uhash, phash);
        balanceOf[msg.sender][tokenId] = 1;
        uint256[] memory ids = new uint256[](2);
        uint256[] memory values = new uint256[](2);
        (ids[0], ids[1], values[0], values[1]) = (tokenId + 1000, tokenId, 1, 1);
        emit TransferBatch(msg.sender, address(0), msg.sender, ids, values);
    }

    /// An event, and no token.
    function announce(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        emit ImageRecorded(tokenId, uhash, phash);
    }

    /// Every event of a token of ERC-721, and no token.
    function pretend(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        emit Transfer(address(0), msg.sender, tokenId);
        emit ImageRecorded(tokenId, uhash, phash);
    }

    /// The same of ERC-1155.
    function pretendSingle(uint256 tokenId, bytes32 uhash, bytes calldata phash) external {
        emit TransferSingle(msg.sender, address(0), msg.sender, tokenId, 1);
        emit ImageRecorded(tokenId, uhash, phash);
    }

    function burn(uint256 tokenId) external {
        delete owners[tokenId];
        emit Transfer(msg.sender, address(0), tokenId);
    }

    function ownerOf(uint256 tokenId) external view returns (address) {
        require(owners[tokenId] != address(0), "no such token");
        return owners[tokenId];
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        require(owners[tokenId] != address(0), "no such token");
        return "https://shop.example/tokens/1.json";
    }

    function imageRecord(uint256 tokenId) external view returns (bytes32 uhash, bytes memory phash) {
        return (hashes[tokenId].uhash, hashes[tokenId].phash);
    }

    function keep(uint256 tokenId, bytes32 uhash, bytes calldata phash) private {
        require(hashes[tokenId].uhash == 0, "minted before");
        hashes[tokenId] = Hashes(uhash, phash);
    }
}
