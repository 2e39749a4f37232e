// Reads a log of C2SP's tiles by Go's own code: checkpoints, every tile, every entry, and the proofs in proofs.json.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run reader.go <folder> <vkey>
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// folder reads tiles at the paths of tlog-tiles, which do not name the height as Go's do.
type folder string

func (f folder) Height() int { return height }

func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func assert(holds bool, format string, args ...any) {
	if !holds {
		check(fmt.Errorf(format, args...))
	}
}

func hashOf(data []byte) (hash tlog.Hash) {
	assert(len(data) == len(hash), "%d bytes are no hash", len(data))
	copy(hash[:], data)
	return hash
}

func hashesOf(all [][]byte) (hashes []tlog.Hash) {
	for _, data := range all {
		hashes = append(hashes, hashOf(data))
	}
	return hashes
}

func checkpoint(path string, verifier note.Verifier) tlog.Tree {
	data, err := os.ReadFile(path)
	check(err)
	opened, err := note.Open(data, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	assert(lines[0] == verifier.Name(), "%s: the origin is %s", path, lines[0])
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: hashOf(root)}
}

// leaves reads the hashes of all entries, and compares them with the authenticated tiles.
func leaves(dir folder, tree tlog.Tree, reader tlog.HashReader) (hashes []tlog.Hash) {
	for n := int64(0); n*256 < tree.N; n++ {
		tile := tlog.Tile{H: height, L: 0, N: n, W: 256}
		if tree.N-n*256 < 256 {
			tile.W = int(tree.N - n*256)
		}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		data, err := os.ReadFile(filepath.Join(string(dir), path))
		check(err)
		var indexes []int64
		for i := 0; i < tile.W; i++ {
			length := int(binary.BigEndian.Uint16(data))
			hashes = append(hashes, tlog.RecordHash(data[2:2+length]))
			data = data[2+length:]
			indexes = append(indexes, tlog.StoredHashIndex(0, n*256+int64(i)))
		}
		assert(len(data) == 0, "%s is too long", path)
		logged, err := reader.ReadHashes(indexes)
		check(err)
		for i, hash := range logged {
			assert(hash == hashes[n*256+int64(i)], "entry %d is another one", n*256+int64(i))
		}
	}
	return hashes
}

func main() {
	dir := folder(os.Args[1])
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)
	trees := map[int64]tlog.Tree{}
	paths, err := filepath.Glob(filepath.Join(string(dir), "checkpoint.*"))
	check(err)
	var records []tlog.Hash
	tiles := 0
	for _, path := range paths {
		tree := checkpoint(path, verifier)
		reader := tlog.TileHashReader(tree, dir)
		for _, tile := range tlog.NewTiles(height, 0, tree.N) {
			// Go's list has a partial tile for every size in between
			if tile.W < 256 && int64(tile.W) != tree.N>>(height*tile.L)%256 {
				continue
			}
			wanted, err := tlog.ReadTileData(tile, reader)
			check(err)
			data, err := dir.ReadTiles([]tlog.Tile{tile})
			check(err)
			assert(bytes.Equal(data[0], wanted), "%s is another one at size %d", tile.Path(), tree.N)
			tiles++
		}
		all := leaves(dir, tree, reader)
		if len(all) > len(records) {
			records = all
		}
		trees[tree.N] = tree
	}

	var proofs struct {
		Inclusion []struct {
			Size, Index int64
			Proof       [][]byte
		}
		Consistency []struct {
			From, To int64
			Proof    [][]byte
		}
	}
	data, err := os.ReadFile(filepath.Join(string(dir), "proofs.json"))
	check(err)
	check(json.Unmarshal(data, &proofs))
	for _, one := range proofs.Inclusion {
		tree := trees[one.Size]
		check(tlog.CheckRecord(hashesOf(one.Proof), tree.N, tree.Hash, one.Index, records[one.Index]))
	}
	for _, one := range proofs.Consistency {
		from, to := trees[one.From], trees[one.To]
		check(tlog.CheckTree(hashesOf(one.Proof), to.N, to.Hash, from.N, from.Hash))
	}
	fmt.Printf("%d checkpoints, %d tiles, %d entries, %d inclusion proofs, %d consistency proofs\n",
		len(trees), tiles, len(records), len(proofs.Inclusion), len(proofs.Consistency))
}
