//! Counters of Aries: the sets that AriesNCL reads, and those of the NIC that LDMS and libraries
//! for application-aware routing read.
//!
//! Names: AriesNCL's and LDMS's lists of events. Words on the hardware: the register descriptions
//! of Cray's open kernel sources (`ar_rtr_inq`, `ar_rtr_colbuf`), LDMS's `gpcdr` configuration,
//! Groves et al. 2017, De Sensi et al. 2019.

use crate::counts::Half;
use crate::entry::{Component, Entry, Quantity, Unit};

const NETWORK: Component = Component::NetworkTile;
const PROCESSOR: Component = Component::ProcessorTile;
const NIC: Component = Component::AriesNic;

const VCS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];
const POSITIONS: &[&str] = &["0", "1", "2", "3"];

const FLITS_IN: &str = "flits of the packets that entered the router by the channel that ends at \
                        this tile, by virtual channel (folded onto 0-3 for requests, 4-7 for \
                        responses)";
const FLITS_IN_HARDWARE: &str = "flits that come into the input queue on the channel";
const WAITING: &str = "time for which packets on the channel wait in the input queue, summed over \
                       packets: from when a packet may leave to when it leaves";
const WAITING_HARDWARE: &str = "counts in one of three modes, set by registers: packets of the \
                                channel, flits that match a pattern, or (as LDMS and Groves et al. \
                                take it) cycles in which the channel is stalled";
const WAITING_DIFFERS: &str = "a sum over packets: several that wait at once count several times; \
                               hardware counts a cycle once";
const PACKETS_REQUEST: &str = "packets on channels 0-3 that entered by this tile";
const PACKETS_RESPONSE: &str = "packets on channels 4-7 that entered by this tile";
const MATCH_HARDWARE: &str = "flits that match the filters of these channels; which, the filters \
                              decide";
const MATCH_DIFFERS: &str = "the filters are taken to match header flits, one a packet";
const DEAD: &str = "always 0: no packet is routed towards a link that has failed";
const DEAD_HARDWARE: &str = "packets that are routed toward a dead link";
const TWICE: &str = "always 0: the model has no row bus of two paths";
const TWICE_HARDWARE: &str = "cycles in which both paths of the row bus carry flits";
const ROW: &str = "voq: time for which a packet of this input queue was the first in line for a \
                   free channel and credits lacked, counted when it starts; cioq: time for which \
                   heads of this input queue waited for the crossbar, counted at the grant";
const ROW_HARDWARE: &str = "cycles in which the row bus is idle although flits are at the front of \
                            the input queue, for want of room in the row buffers";
const ROW_DIFFERS: &str = "a voq router has no row buffers: what holds packets up is the buffer \
                           behind the channel that leaves";
const COLUMN: &str = "time from the first decision that finds the channel free and something to \
                      send, but no credits, to the next start on the channel";
const COLUMN_HARDWARE: &str = "cycles in which something valid is stalled for lack of credits, on \
                               the virtual channel that VC_PTR names";
const COLUMN_DIFFERS: &str = "all virtual channels of the half, not one";
const POINTER: &str = "always 0: nothing is selected, all channels are monitored";
const POINTER_HARDWARE: &str = "the virtual channel that is monitored; no counter";
const TO_NIC: &str = "always 0: NICs take everything at once";

const fn tile(
    pattern: &'static str,
    component: Component,
    unit: Unit,
    quantity: Quantity,
    meaning: &'static str,
) -> Entry {
    Entry::new(pattern, component, unit, quantity, meaning)
}

const fn flits(component: Component) -> Entry {
    tile(
        "INQ_PRF_INCOMING_FLIT_VC{}",
        component,
        Unit::Flits,
        Quantity::TileFlits,
        FLITS_IN,
    )
    .hardware(FLITS_IN_HARDWARE)
}

const fn waiting(component: Component) -> Entry {
    let pattern = "INQ_PRF_INCOMING_PKT_VC{}_FILTER_FLIT{}_CNT";
    tile(
        pattern,
        component,
        Unit::AriesCycles,
        Quantity::TileWaiting,
        WAITING,
    )
    .row(VCS)
    .hardware(WAITING_HARDWARE)
    .differs(WAITING_DIFFERS)
}

const fn matches(
    component: Component,
    pattern: &'static str,
    half: Half,
    meaning: &'static str,
) -> Entry {
    tile(
        pattern,
        component,
        Unit::Flits,
        Quantity::TilePackets(half),
        meaning,
    )
    .hardware(MATCH_HARDWARE)
    .differs(MATCH_DIFFERS)
}

const fn match_requests(component: Component) -> Entry {
    let pattern = "INQ_PRF_MATCH_FLIT_3_TO_0_FILTERING_CNT";
    matches(component, pattern, Half::Requests, PACKETS_REQUEST)
}

const fn match_responses(component: Component) -> Entry {
    let pattern = "INQ_PRF_MATCH_FLIT_7_TO_4_FILTERING_CNT";
    matches(component, pattern, Half::Responses, PACKETS_RESPONSE)
}

const fn dead(component: Component) -> Entry {
    Entry::absent(
        "INQ_PRF_PKT_TO_DEAD_LINK_CNT",
        component,
        Unit::Packets,
        DEAD,
    )
    .hardware(DEAD_HARDWARE)
}

const fn twice(component: Component) -> Entry {
    Entry::absent(
        "INQ_PRF_ROWBUS_2X_USAGE_CNT",
        component,
        Unit::AriesCycles,
        TWICE,
    )
    .hardware(TWICE_HARDWARE)
}

const fn row(component: Component, pattern: &'static str, quantity: Quantity) -> Entry {
    tile(pattern, component, Unit::AriesCycles, quantity, ROW)
        .hardware(ROW_HARDWARE)
        .differs(ROW_DIFFERS)
}

const fn column(pattern: &'static str, half: Half) -> Entry {
    let quantity = Quantity::TileColumnStall(half);
    tile(pattern, NETWORK, Unit::AriesCycles, quantity, COLUMN)
        .hardware(COLUMN_HARDWARE)
        .differs(COLUMN_DIFFERS)
}

const fn pointer(pattern: &'static str) -> Entry {
    Entry::absent(pattern, NETWORK, Unit::Count, POINTER).hardware(POINTER_HARDWARE)
}

const fn to_nic(pattern: &'static str) -> Entry {
    Entry::absent(pattern, PROCESSOR, Unit::AriesCycles, TO_NIC)
        .hardware("cycles in which something valid is stalled for lack of credits")
}

/// The 25 of a network tile in the order of `AriesNCL`, and one made from them.
pub(crate) const NETWORK_TILE: &[Entry] = &[
    column("COLBUF_PERF_STALL_RQ:COL_BUF_PERF_STALL_RQ", Half::Requests),
    pointer("COLBUF_PERF_STALL_RQ:VC_PTR"),
    column(
        "COLBUF_PERF_STALL_RS:COL_BUF_PERF_STALL_RS",
        Half::Responses,
    ),
    pointer("COLBUF_PERF_STALL_RS:VC_PTR"),
    flits(NETWORK).row(VCS),
    waiting(NETWORK),
    match_requests(NETWORK),
    match_responses(NETWORK),
    dead(NETWORK),
    twice(NETWORK),
    row(
        NETWORK,
        "INQ_PRF_ROWBUS_STALL_CNT",
        Quantity::TileRowStallAll,
    ),
    tile(
        "INQ_PRF_INCOMING_FLIT_TOT",
        NETWORK,
        Unit::Flits,
        Quantity::TileFlitsAll,
        "sum of INQ_PRF_INCOMING_FLIT_VC0 to VC7",
    )
    .hardware("none of the machine: Groves et al. 2017 add the eight up")
    .derived(),
];

/// The 18 of a processor tile.
pub(crate) const PROCESSOR_TILE: &[Entry] = &[
    to_nic("COLBUF_PERF_STALL_RQ"),
    to_nic("COLBUF_PERF_STALL_RS"),
    flits(PROCESSOR).row(&["0", "4"]).at(&[0, 4]).differs(
        "two tiles lead to a NIC; the model has one channel, whose flits are all counted \
                  at the first of them",
    ),
    waiting(PROCESSOR),
    match_requests(PROCESSOR),
    match_responses(PROCESSOR),
    dead(PROCESSOR),
    row(
        PROCESSOR,
        "INQ_PRF_REQ_ROWBUS_STALL_CNT",
        Quantity::TileRowStall(Half::Requests),
    ),
    twice(PROCESSOR),
    row(
        PROCESSOR,
        "INQ_PRF_RSP_ROWBUS_STALL_CNT",
        Quantity::TileRowStall(Half::Responses),
    ),
];

const fn nic(
    pattern: &'static str,
    unit: Unit,
    quantity: Quantity,
    meaning: &'static str,
) -> Entry {
    Entry::new(pattern, NIC, unit, quantity, meaning)
}

const fn no_stall(pattern: &'static str, meaning: &'static str) -> Entry {
    Entry::absent(pattern, NIC, Unit::AriesCycles, meaning)
}

const fn host(pattern: &'static str, labels: &'static [&'static str]) -> Entry {
    Entry::absent(
        pattern,
        NIC,
        Unit::Count,
        "always 0: the way between the NIC and its host is not modelled",
    )
    .row(labels)
    .hardware("traffic of a unit of the NIC towards the host, and what blocks it")
}

const fn to_tiles(pattern: &'static str, unit: Unit, quantity: Quantity) -> Entry {
    nic(
        pattern,
        unit,
        quantity,
        "what the NIC starts on its channel to the router, requests or responses; stalls: as \
         REQ_STALLED",
    )
    .row(POSITIONS)
    .by_position()
    .hardware("traffic from NIC number {} of a router to its processor tiles")
}

const fn from_tiles(pattern: &'static str, unit: Unit, quantity: Quantity) -> Entry {
    arrival(nic(
        pattern,
        unit,
        quantity,
        "what arrives at the NIC, requests or responses",
    ))
}

const fn never_from_tiles(pattern: &'static str) -> Entry {
    arrival(no_stall(pattern, "always 0: NICs take everything at once"))
}

const fn arrival(entry: Entry) -> Entry {
    entry
        .row(POSITIONS)
        .by_position()
        .hardware("traffic from the processor tiles to NIC number {} of a router")
}

const REQUESTS: Half = Half::Requests;
const RESPONSES: Half = Half::Responses;
const FED: &[&str] = &["FLITS", "PKTS", "STALLED"];
const BLOCKED: &[&str] = &["FLITS", "PKTS", "BLOCKED"];

/// Of a NIC.
pub(crate) const ARIES_NIC: &[Entry] = &[
    nic(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS",
        Unit::Flits,
        Quantity::SentFlits(REQUESTS),
        "flits of the request packets that the NIC started",
    )
    .hardware("request flits (f of De Sensi et al. 2019: 5 for 64 B of a PUT)"),
    nic(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_PKTS",
        Unit::Packets,
        Quantity::SentPackets(REQUESTS),
        "request packets that the NIC started",
    )
    .hardware("request packets"),
    nic(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED",
        Unit::AriesCycles,
        Quantity::CreditStall(REQUESTS),
        "time for which a request existed and the channel to the router was free, but the router's \
         input buffer was full; counted when the request starts",
    )
    .hardware("cycles in which a flit was ready and was not taken (s of De Sensi et al. 2019)")
    .differs("waits for answers (1,024 outstanding) are no stalls"),
    nic(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_FLITS",
        Unit::Flits,
        Quantity::ReceivedFlits(RESPONSES),
        "flits of the responses that came back",
    )
    .hardware("response flits at the table of outstanding requests"),
    nic(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_PKTS",
        Unit::Packets,
        Quantity::ReceivedPackets(RESPONSES),
        "responses that came back",
    )
    .hardware("response packets at the table of outstanding requests"),
    no_stall(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_STALLED",
        "always 0: responses are taken at once",
    )
    .hardware("cycles in which a response was not taken"),
    nic(
        "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_NET_TRACK",
        Unit::Count,
        Quantity::RoundTrips,
        "requests whose response has come back",
    )
    .hardware("pairs of request and response whose latency is tracked; which, registers decide")
    .differs("all are tracked"),
    nic(
        "AR_NIC_ORB_PRF_NET_RSP_TRACK_2",
        Unit::Microseconds,
        Quantity::RoundTripTime,
        "time from the creation of these requests to their responses, summed",
    )
    .hardware(
        "sum of the latencies of the tracked pairs (L of De Sensi et al. 2019 is this over \
               RSP_NET_TRACK); LDMS sets it back to 0 in each interval",
    )
    .differs(
        "never set back; rounded down once, not for each pair; from when the packet has a \
              place in the NIC, not from its first flit",
    ),
    nic(
        "AR_NIC_ORB_PRF_NET_RSP_HIST_BIN{}",
        Unit::Count,
        Quantity::RoundTripBin,
        "tracked pairs by latency: edges 1, 5, 10, 50, 100, 500, 1,000 us",
    )
    .row(VCS)
    .hardware(
        "two bins of 32 bits in each of the registers BIN01, BIN23, BIN45, BIN67; the edges \
               are programmed, these are LDMS's",
    )
    .differs("a counter per bin")
    .derived(),
    nic(
        "AR_NIC_NETMON_RAT_EVENT_CNTR_NL_FLITS",
        Unit::Flits,
        Quantity::ReceivedFlits(REQUESTS),
        "flits of the requests that arrived",
    )
    .hardware("flits from the network at the unit that translates remote addresses"),
    nic(
        "AR_NIC_NETMON_RAT_EVENT_CNTR_NL_PKTS",
        Unit::Packets,
        Quantity::ReceivedPackets(REQUESTS),
        "requests that arrived",
    )
    .hardware("packets from the network at the unit that translates remote addresses"),
    no_stall(
        "AR_NIC_NETMON_RAT_EVENT_CNTR_REQ_STALLED",
        "always 0: requests are taken at once",
    )
    .hardware("cycles in which a request was not taken"),
    nic(
        "AR_NIC_RSPMON_NPT_EVENT_CNTR_NL_FLITS",
        Unit::Flits,
        Quantity::SentFlits(RESPONSES),
        "flits of the responses that the NIC started",
    )
    .hardware("flits towards the network at the table of pending packets"),
    nic(
        "AR_NIC_RSPMON_NPT_EVENT_CNTR_NL_PKTS",
        Unit::Packets,
        Quantity::SentPackets(RESPONSES),
        "responses that the NIC started",
    )
    .hardware("packets towards the network at the table of pending packets"),
    nic(
        "AR_NIC_RSPMON_NPT_EVENT_CNTR_NL_STALLED",
        Unit::AriesCycles,
        Quantity::CreditStall(RESPONSES),
        "as REQ_STALLED, for responses",
    )
    .hardware("cycles in which a flit was ready and was not taken"),
    nic(
        "AR_NIC_ORB_PRF_REQ_BYTES_SENT",
        Unit::Bytes,
        Quantity::SentPayload(REQUESTS),
        "bytes of requests sent, without headers",
    )
    .hardware("bytes of requests sent"),
    nic(
        "AR_NIC_ORB_PRF_RSP_BYTES_RCVD",
        Unit::Bytes,
        Quantity::ReceivedPayload(RESPONSES),
        "bytes of responses that came back, without headers",
    )
    .hardware("bytes of responses received, such as the data of a GET"),
    nic(
        "AR_NIC_RAT_PRF_REQ_BYTES_RCVD",
        Unit::Bytes,
        Quantity::ReceivedPayload(REQUESTS),
        "bytes of requests that arrived, without headers",
    )
    .hardware("bytes of requests received"),
    to_tiles(
        "AR_NL_PRF_REQ_NIC_{}_TO_PTILES_FLITS",
        Unit::Flits,
        Quantity::SentFlits(REQUESTS),
    ),
    to_tiles(
        "AR_NL_PRF_REQ_NIC_{}_TO_PTILES_PKTS",
        Unit::Packets,
        Quantity::SentPackets(REQUESTS),
    ),
    to_tiles(
        "AR_NL_PRF_REQ_NIC_{}_TO_PTILES_STALLED",
        Unit::AriesCycles,
        Quantity::CreditStall(REQUESTS),
    ),
    to_tiles(
        "AR_NL_PRF_RSP_NIC_{}_TO_PTILES_FLITS",
        Unit::Flits,
        Quantity::SentFlits(RESPONSES),
    ),
    to_tiles(
        "AR_NL_PRF_RSP_NIC_{}_TO_PTILES_PKTS",
        Unit::Packets,
        Quantity::SentPackets(RESPONSES),
    ),
    to_tiles(
        "AR_NL_PRF_RSP_NIC_{}_TO_PTILES_STALLED",
        Unit::AriesCycles,
        Quantity::CreditStall(RESPONSES),
    ),
    from_tiles(
        "AR_NL_PRF_REQ_PTILES_TO_NIC_{}_FLITS",
        Unit::Flits,
        Quantity::ReceivedFlits(REQUESTS),
    ),
    from_tiles(
        "AR_NL_PRF_REQ_PTILES_TO_NIC_{}_PKTS",
        Unit::Packets,
        Quantity::ReceivedPackets(REQUESTS),
    ),
    never_from_tiles("AR_NL_PRF_REQ_PTILES_TO_NIC_{}_STALLED"),
    from_tiles(
        "AR_NL_PRF_RSP_PTILES_TO_NIC_{}_FLITS",
        Unit::Flits,
        Quantity::ReceivedFlits(RESPONSES),
    ),
    from_tiles(
        "AR_NL_PRF_RSP_PTILES_TO_NIC_{}_PKTS",
        Unit::Packets,
        Quantity::ReceivedPackets(RESPONSES),
    ),
    never_from_tiles("AR_NL_PRF_RSP_PTILES_TO_NIC_{}_STALLED"),
    host("AR_NIC_RSPMON_PARB_EVENT_CNTR_PI_{}", FED),
    host("AR_NIC_RSPMON_PARB_EVENT_CNTR_AMO_{}", BLOCKED),
    host("AR_NIC_RSPMON_PARB_EVENT_CNTR_WC_{}", BLOCKED),
    host("AR_NIC_RSPMON_PARB_EVENT_CNTR_BTE_RD_{}", BLOCKED),
    host("AR_NIC_RSPMON_PARB_EVENT_CNTR_IOMMU_{}", BLOCKED),
];
