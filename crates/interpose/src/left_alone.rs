//! Messages that a library leaves alone, counted by the reason.

/// Declares an enumeration of the reasons for which a library leaves messages alone, each with its
/// name in reports, and counts messages by them: `REASON.count()`, `NAME::report(object)`.
#[macro_export]
macro_rules! left_alone {
    (
        $(#[$documentation:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$meaning:meta])* $reason:ident = $text:literal,)+
        }
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $visibility enum $name {
            $($(#[$meaning])* $reason,)+
        }

        impl $name {
            /// Names of the reasons in reports, in the order of the enumeration.
            const NAMES: &[&str] = &[$($text),+];

            /// Counts of this process, in the order of the enumeration.
            fn counts() -> &'static [$crate::Count] {
                static COUNTS: [$crate::Count; $name::NAMES.len()] =
                    [const { $crate::Count::new() }; $name::NAMES.len()];
                &COUNTS
            }

            /// Counts a message that is left alone for this reason.
            pub(crate) fn count(self) {
                Self::counts()[self as usize].add(1);
            }

            /// Adds the counts to the report of the process.
            pub(crate) fn report(object: &mut $crate::JsonObject) {
                let names = Self::NAMES.iter().copied();
                object.counts("left_alone", names.zip(Self::counts()));
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::{JsonObject, ProcessIdentity};

    crate::left_alone! {
        /// Two reasons.
        enum Reason {
            /// The first.
            First = "first",
            /// The second.
            Second = "second",
        }
    }

    #[test]
    fn counts_stand_under_the_names_of_their_reasons() {
        Reason::Second.count();
        Reason::Second.count();
        Reason::First.count();
        let mut object = JsonObject::new("libx", &ProcessIdentity::default(), None);
        Reason::report(&mut object);
        let text = object.finish();
        let expected = "\"left_alone\": {\"first\": 1, \"second\": 2}}\n";
        assert!(text.ends_with(expected), "{text}");
    }
}
