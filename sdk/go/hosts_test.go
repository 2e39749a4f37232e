package certificate

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TOUCHSTONE_HOSTS names a file with a host and its normal form in JSON on each line, which test/sdk/go.test.ts writes.
func TestHostsOfAnotherParser(t *testing.T) {
	name := os.Getenv("TOUCHSTONE_HOSTS")
	if name == "" {
		t.Skip("TOUCHSTONE_HOSTS names no file")
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count, differences := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan() && differences < 20; count++ {
		var pair [2]*string
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			t.Fatal(err)
		}
		found, ok := "", false
		if a := parseAddress("http://" + *pair[0] + "/"); a != nil {
			if found, ok = a.host, true; a.hasFinalDot {
				found += "."
			}
		}
		if ok != (pair[1] != nil) || (ok && found != *pair[1]) {
			differences++
			wanted := "none"
			if pair[1] != nil {
				wanted = *pair[1]
			}
			t.Errorf("%+q: found %q, wanted %q", *pair[0], found, wanted)
		}
	}
	t.Logf("%d hosts", count)
}
