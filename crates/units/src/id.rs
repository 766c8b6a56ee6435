//! Dense ids. Arithmetic on them belongs to the topology room alone.

use borsh::{BorshDeserialize, BorshSerialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
        #[derive(BorshSerialize, BorshDeserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into a dense table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A computer attached to the network, from 0.
    ///
    /// ```compile_fail
    /// use odonata_units::{NodeId, RouterId};
    /// let router: RouterId = NodeId(3);
    /// ```
    NodeId
);
id!(
    /// A router, from 0.
    RouterId
);
id!(
    /// A group of locally connected routers, from 0.
    GroupId
);
id!(
    /// A job of the scenario, in file order, from 0.
    JobId
);
