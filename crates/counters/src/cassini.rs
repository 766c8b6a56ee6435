//! Counters of the Cassini NIC (HPE Slingshot), by the names of its telemetry files.
//!
//! Names and words on the hardware: the open driver of the NIC and the counter modules of MPI
//! libraries; the size bins are in the names. Of several hundred, these tell of the network; the
//! others are of the host, of errors, or of units that the model does not have.

use crate::counts::Half;
use crate::entry::{Component, Entry, Quantity, Unit};

const EIGHT: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];
const NOT_FIRST: &[&str] = &["1", "2", "3"];
const BINS: &[&str] = &[
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
    "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
];
const SIZE_NAMES: &[&str] = &[
    "27",
    "35",
    "36_to_63",
    "64",
    "65_to_127",
    "128_to_255",
    "256_to_511",
    "512_to_1023",
    "1024_to_2047",
    "2048_to_4095",
    "4096_to_8191",
    "8192_to_max",
];

const fn nic(
    pattern: &'static str,
    unit: Unit,
    quantity: Quantity,
    meaning: &'static str,
) -> Entry {
    Entry::new(pattern, Component::CassiniNic, unit, quantity, meaning)
}

const fn nothing(pattern: &'static str, unit: Unit, meaning: &'static str) -> Entry {
    Entry::absent(pattern, Component::CassiniNic, unit, meaning)
}

const NO_CONTROL: &str = "always 0: congestion control at end points is not counted";
const NO_LOSS: &str = "always 0: nothing is lost or refused in the model";

/// Of a NIC.
pub(crate) const CASSINI_NIC: &[Entry] = &[
    nic(
        "pct_req_rsp_latency_{}",
        Unit::Count,
        Quantity::LatencyBin,
        "requests by the time from their creation to their response; where nothing is answered \
         (`nic.response` = 0), packets that arrived, by the time from their creation. Bin k: 2^k ns \
         to 2^(k+1) ns, bin 0 all below",
    )
    .row(BINS)
    .hardware("histogram of the latency from request to response")
    .differs("the edges of the hardware are not public; these are ours. Without responses the NIC \
              that receives counts, not the one that sends"),
    nic(
        "pct_req_unordered",
        Unit::Packets,
        Quantity::SentPackets(Half::Requests),
        "requests (or one-way packets) that the NIC started: each finds its own path",
    )
    .hardware("requests that may arrive in any order"),
    nothing(
        "pct_req_ordered",
        Unit::Packets,
        "always 0: no packet has to follow another one's path",
    )
    .hardware("requests that must arrive in order"),
    nic(
        "pct_responses_received",
        Unit::Packets,
        Quantity::ReceivedPackets(Half::Responses),
        "responses that came back",
    )
    .hardware("responses received"),
    nothing(
        "pct_conn_sct_open",
        Unit::Count,
        "always 0: there are no connections to open",
    )
    .hardware("connections opened by the source"),
    nothing("pct_retry_srb_requests", Unit::Count, NO_LOSS).hardware("requests sent again"),
    nothing("pct_spt_timeouts", Unit::Count, NO_LOSS).hardware("requests whose response did not come"),
    nothing("pct_no_tct_nacks", Unit::Count, NO_LOSS)
        .hardware("refusals for want of connections at the target"),
    nothing("pct_no_trs_nacks", Unit::Count, NO_LOSS)
        .hardware("refusals for want of result storage at the target"),
    nothing("pct_no_mst_nacks", Unit::Count, NO_LOSS)
        .hardware("refusals for want of message state at the target"),
    nic(
        "oxe_stall_fgfc_blk_0",
        Unit::CassiniCycles,
        Quantity::PacingStall,
        "time for which a packet existed and the channel was free, but the NIC paced itself \
         (`nic.congestion`); counted when it starts",
    )
    .hardware("cycles blocked by congestion control")
    .differs("all blocks at the first"),
    nothing("oxe_stall_fgfc_blk_{}", Unit::CassiniCycles, NO_CONTROL)
        .row(NOT_FIRST)
        .hardware("cycles blocked by congestion control"),
    nothing("oxe_stall_fgfc_cntrl", Unit::Count, NO_CONTROL)
        .hardware("control frames of congestion control"),
    nothing("oxe_stall_fgfc_start", Unit::Count, NO_CONTROL)
        .hardware("control frames that begin a throttling"),
    nothing("oxe_stall_fgfc_end", Unit::Count, NO_CONTROL)
        .hardware("control frames that end a throttling"),
    nic(
        "oxe_stall_pct_bc_0",
        Unit::CassiniCycles,
        Quantity::OutstandingStall,
        "time for which a request existed and the channel was free, but as many requests as \
         `nic.outstanding` allows were not answered; counted when it starts",
    )
    .hardware("cycles in which buffer class 0 waits for resources of the unit that tracks requests")
    .differs("all buffer classes at the first"),
    nothing(
        "oxe_stall_pbuf_bc_{}",
        Unit::CassiniCycles,
        "always 0: the packet buffer of the NIC never holds a packet up",
    )
    .row(EIGHT)
    .hardware("cycles in which a buffer class waits for the packet buffer"),
    nothing(
        "oxe_stall_ts_no_in_crd_tsc_{}",
        Unit::CassiniCycles,
        "always 0: NICs do not shape traffic",
    )
    .row(EIGHT)
    .hardware("cycles in which a class waits for inbound shaping tokens"),
    nothing(
        "oxe_stall_ts_no_out_crd_tsc_{}",
        Unit::CassiniCycles,
        "always 0: NICs do not shape traffic",
    )
    .row(EIGHT)
    .hardware("cycles in which a class waits for outbound shaping tokens"),
    nic(
        "hni_tx_paused_{}",
        Unit::CassiniCycles,
        Quantity::CreditStallByClass,
        "time for which a packet of traffic class n existed and the channel was free, but the \
         switch's input buffer was full; counted when it starts",
    )
    .row(EIGHT)
    .hardware("cycles in which sending is paused, by priority")
    .differs("the model has credits, not pause frames; the clock is taken as 1 GHz"),
    nothing(
        "hni_rx_paused_{}",
        Unit::CassiniCycles,
        "always 0: NICs take everything at once",
    )
    .row(EIGHT)
    .hardware("cycles in which the NIC pauses the switch, by priority"),
    nic(
        "hni_pause_recv",
        Unit::Count,
        Quantity::CreditStalls,
        "packets that waited for credits of the switch",
    )
    .hardware("pause frames received")
    .differs("one for each packet that waited"),
    nothing(
        "hni_pause_xoff_sent",
        Unit::Count,
        "always 0: NICs take everything at once",
    )
    .hardware("pause frames sent"),
    nothing("hni_fgfc_event_xoff", Unit::Count, NO_CONTROL)
        .hardware("flows that congestion control stops"),
    nothing("hni_fgfc_event_xon", Unit::Count, NO_CONTROL)
        .hardware("flows that congestion control lets go on"),
    nic(
        "hni_pkts_sent_by_tc_{}",
        Unit::Packets,
        Quantity::SentByClass,
        "packets that the NIC started, by traffic class in the order of `system.qos`; the eighth \
         has all further ones",
    )
    .row(EIGHT)
    .hardware("packets sent, by traffic class")
    .differs("requests and responses of a class have one number; hardware may number them apart"),
    nic(
        "hni_pkts_recv_by_tc_{}",
        Unit::Packets,
        Quantity::ReceivedByClassAll,
        "packets that arrived, by traffic class",
    )
    .row(EIGHT)
    .hardware("packets received, by traffic class")
    .differs("as hni_pkts_sent_by_tc"),
    nic(
        "hni_tx_ok_{}",
        Unit::Packets,
        Quantity::SentBySize,
        "packets that the NIC started, by size with headers",
    )
    .row(SIZE_NAMES)
    .hardware("packets sent, by size in bytes; 27 and 35 are sizes of small formats")
    .differs("27 has all up to 27 bytes, 35 all from 28 to 35"),
    nic(
        "hni_rx_ok_{}",
        Unit::Packets,
        Quantity::ReceivedBySize,
        "packets that arrived, by size with headers",
    )
    .row(SIZE_NAMES)
    .hardware("packets received, by size in bytes")
    .differs("as hni_tx_ok"),
    nic(
        "hni_sts_tx_ok_octets",
        Unit::Bytes,
        Quantity::SentBytesAll,
        "bytes that the NIC started, with headers",
    )
    .hardware("bytes sent"),
    nic(
        "hni_sts_rx_ok_octets",
        Unit::Bytes,
        Quantity::ReceivedBytesAll,
        "bytes that arrived, with headers",
    )
    .hardware("bytes received"),
    nic(
        "ixe_tc_req_no_ecn_pkts_{}",
        Unit::Packets,
        Quantity::ReceivedByClass(Half::Requests),
        "requests (or one-way packets) that arrived, by traffic class",
    )
    .row(EIGHT)
    .hardware("requests that arrived without a mark of congestion, by traffic class")
    .differs("the model marks nothing"),
    nothing(
        "ixe_tc_req_ecn_pkts_{}",
        Unit::Packets,
        "always 0: the model marks nothing",
    )
    .row(EIGHT)
    .hardware("requests that arrived with a mark of congestion, by traffic class"),
    nic(
        "ixe_tc_rsp_no_ecn_pkts_{}",
        Unit::Packets,
        Quantity::ReceivedByClass(Half::Responses),
        "responses that arrived, by traffic class",
    )
    .row(EIGHT)
    .hardware("responses that arrived without a mark of congestion, by traffic class")
    .differs("the model marks nothing"),
    nothing(
        "ixe_tc_rsp_ecn_pkts_{}",
        Unit::Packets,
        "always 0: the model marks nothing",
    )
    .row(EIGHT)
    .hardware("responses that arrived with a mark of congestion, by traffic class"),
    nothing(
        "parbs_tarb_pi_posted_blocked_cnt",
        Unit::CassiniCycles,
        "always 0: the way between the NIC and its host is not modelled",
    )
    .hardware("cycles in which writes to the host are blocked"),
    nothing(
        "lpe_net_match_overflow_0",
        Unit::Count,
        "always 0: matching is the business of the MPI library in the model",
    )
    .hardware("messages that came before their receive"),
];
