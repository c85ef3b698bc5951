package webconsole

import (
	"strconv"
	"strings"
)

// identity is the name of the uncompressed form (RFC 9110, section 12.5.3).
const identity = "identity"

// negotiate picks the offer that the client weighs highest; among equals the
// first. Without a header the plain form is the only safe one. ok is false
// when the client refuses everything on offer.
func negotiate(headers []string, offers ...string) (coding string, ok bool) {
	if len(headers) == 0 {
		headers = []string{identity}
	}
	weights := parseWeights(strings.Join(headers, ","))
	best := 0.0
	for _, offer := range offers {
		if weight := weightOf(weights, offer); weight > best {
			coding, best = offer, weight
		}
	}
	return coding, best > 0
}

// unasked is the weight of the plain form when the client does not mention it:
// acceptable, but less than anything that was asked for.
const unasked = 0.0001

func weightOf(weights map[string]float64, coding string) float64 {
	if weight, named := weights[coding]; named {
		return weight
	}
	if weight, any := weights["*"]; any {
		return weight
	}
	if coding == identity {
		return unasked
	}
	return 0
}

// parseWeights reads "br;q=0.8, gzip, *;q=0". An unreadable weight counts as 0:
// a larger answer is better than one that the client cannot decode.
func parseWeights(header string) map[string]float64 {
	weights := map[string]float64{}
	for item := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "x-gzip" {
			name = "gzip"
		}
		if name != "" {
			weights[name] = parseQuality(parameters)
		}
	}
	return weights
}

func parseQuality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		quality, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(quality >= 0 && quality <= 1) {
			return 0
		}
		return quality
	}
	return 1
}

// matches compares If-None-Match with the tag. A proxy may have marked the tag
// as weak; for this header that makes no difference (RFC 9110, section 13.1.2).
func matches(headers []string, tag string) bool {
	for item := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		if item == tag || item == "*" {
			return true
		}
	}
	return false
}
