"""Names out of registries as types, for editors and type checkers; made by `make names`."""
# ruff: noqa: N816, RUF022  # measures have the names and the order of the catalogue
# fmt: off

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

    Test = Literal[
        "skewed-t", "t", "max-t", "bootstrap-t", "dunnett", "tukey", "randomised-tukey", "randomization", "wilcoxon",
        "bounded", "unpaired-t", "crossed-t"
    ]

    Correction = Literal[
        "none", "bonferroni", "holm", "hochberg", "bh", "by"
    ]

    Population = Literal[
        "topics", "documents", "both", "shards", "topics+shards", "sources"
    ]

    Transform = Literal[
        "arcsine", "logit", "log", "ranks", "z", "z-normal", "z-uniform", "z-empirical"
    ]

    JudgesTest = Literal[
        "skewed-t", "t", "max-t", "bootstrap-t", "randomised-tukey", "randomization", "wilcoxon", "bounded",
        "unpaired-t"
    ]

    RobustnessPopulation = Literal[
        "topics", "documents", "both"
    ]

    RobustnessTest = Literal[
        "skewed-t", "crossed-t", "t", "tukey"
    ]

    PartitionFill = Literal[
        "redraw", "drop", "unbalanced"
    ]

    PartitionP = Literal[
        "difference", "paper"
    ]

    PartitionAggregate = Literal[
        "all", "majority", "median-p", "twice-median", "fisher", "harmonic"
    ]

    PartitionDrawn = Literal[
        "residuals", "topics"
    ]

    PartitionModel = Literal[
        "MD2", "MD3", "MD4", "MD5", "MD6"
    ]

    PartitionTests_correction = Literal[
        "none", "bonferroni", "holm", "hochberg", "bh", "by"
    ]

    InstancesModel = Literal[
        "topic", "repeated", "nested", "crossed"
    ]

    InstancesCorrection = Literal[
        "none", "bonferroni", "holm", "hochberg", "bh", "by", "tukey"
    ]

    InstancesVariances = Literal[
        "own", "common"
    ]

    InstancesDf = Literal[
        "satterthwaite", "n-f"
    ]

    PlanReplicates = Literal[
        "shards", "instances"
    ]

    AP: Measure
    """average precision: The mean, over all relevant documents, of the precision at their ranks; 0 for those not
    retrieved."""
    P: Measure
    """precision: The share of relevant documents among the top k; a shorter list is padded with others."""
    R: Measure
    """recall: The share of the relevant documents that are in the top k."""
    R_cap: Measure
    """capped recall: The relevant documents in the top k over the most that are possible there: k, or all if there
    are fewer (BEIR's R_cap@k; trec_eval's relative precision)."""
    F1: Measure
    """F1: The harmonic mean of precision and recall in the top k, as in ranx; SetF is that of the whole list."""
    Success: Measure
    """success: 1 if a relevant document is among the top k, or in the list, else 0; elsewhere also called hit
    rate."""
    Rprec: Measure
    """R-precision: The precision at rank R, where R is the number of relevant documents of the topic; or at a
    multiple of R (trec_eval's Rprec_mult)."""
    RR: Measure
    """reciprocal rank: One over the rank of the first relevant document; 0 if there is none."""
    PairAccuracy: Measure
    """accuracy of pairs: The share of pairs of a relevant and another document of the list, or of its top k, in
    which the relevant one comes first, as in ir_measures; not the hit rate, which is Success@k. It is 0 where
    no relevant document is retrieved; ir_measures leaves such topics out of the mean."""
    Q: Measure
    """Q-measure: At each relevant document, precision and cumulated gain in one ratio with those of the ideal
    ranking, averaged over all relevant documents; 0 for those not retrieved (Sakai 2004)."""
    GAP: Measure
    """graded average precision: AP expected over readers, each of whom takes another grade as the lowest that is
    relevant (Robertson, Kanoulas and Yilmaz 2010)."""
    nDCG: Measure
    """normalised discounted cumulated gain: The gains of the documents, each divided by a discount that grows with
    the rank, over the same sum for the ideal ranking."""
    DCG: Measure
    """discounted cumulated gain: The gains of the documents, each divided by a discount that grows with the rank,
    as they are."""
    SDCG: Measure
    """scaled discounted cumulated gain: DCG over that of k documents of the highest grade, whether there are so
    many or not (cwl_eval's NDCG)."""
    ERR: Measure
    """expected reciprocal rank: The expected 1/rank at which a reader stops, who stops at a document of grade g
    with probability (2^g − 1) / 2^max_rel (Chapelle et al. 2009). As in gdeval and ir_measures the highest
    grade is 4 unless max_rel= says otherwise, so that ERR is far below 1 where judgments are binary."""
    RBP: Measure
    """rank-biased precision: The sum of (1 − p) p^(rank − 1) times the gain of each document: a reader goes on to
    the next document with probability p (Moffat and Zobel 2008). The gain is the grade, as in ir_measures and
    ranx, which for grades above 1 may give scores above 1; with rel= it is 1 for relevant documents, with
    max_rel= the grade over the highest one, as in TREC-COVID."""
    INSQ: Measure
    """inverse squares: The sum over the relevant documents of a weight proportional to 1/(rank + 2T − 1)²: a
    reader looks for T of them (Moffat et al. 2012). With max_rel= it is graded, over the first 1,000 ranks, as
    in cwl_eval and ir_measures."""
    INST: Measure
    """adaptive inverse squares: The expected gain of a document that is read by a reader who looks for a gain of
    T, and goes on the more the less of it is found (Bailey et al. 2015, as in cwl_eval)."""
    BPM: Measure
    """Bejeweled player model: The gain per document of a reader who stops when a gain of T is reached, or at rank
    k (Zhang et al. 2017, as in cwl_eval)."""
    NERR8: Measure
    """nearly expected reciprocal rank, equation 8: ERR as a measure of expected gain (Azzopardi et al. 2021,
    equation 8; as in cwl_eval): a reader stops at a document with the probability of its gain, or at rank k."""
    NERR9: Measure
    """nearly expected reciprocal rank, equation 9: ERR as a measure of expected gain (Azzopardi et al. 2021,
    equation 9; as in cwl_eval): a reader stops at a document with the probability of its gain, else goes on
    with probability rank/(rank + 1), down to rank k."""
    NERR10: Measure
    """nearly expected reciprocal rank, equation 10: ERR as a measure of expected gain (Azzopardi et al. 2021,
    equation 10; as in cwl_eval): a reader stops at a document with the probability of its gain, else goes on
    with probability p."""
    NERR11: Measure
    """nearly expected reciprocal rank, equation 11: ERR as a measure of expected gain (Azzopardi et al. 2021,
    equation 11; as in cwl_eval): a reader stops at a document with the probability of its gain, else goes on as
    one who looks for T documents (INSQ)."""
    MP: Measure
    """Markov precision: Precision at the relevant documents of the list, weighted by how often a reader who steps
    between documents comes to each in the long run (Ferrante, Ferro and Maistro 2014)."""
    MADP: Measure
    """mean assessed document precision: The precision at relevant documents over that at all documents, as
    expected of a reader who starts at rank 1, goes down with probability p and up with q, and else stops (as in
    MATTERS, which prints no formula)."""
    CRP: Measure
    """cumulated relative position: How many ranks documents lie after (above 0) or before (below 0) those of their
    grade in the ideal ranking, summed down to rank k; a shorter list is padded with others (Angelini et al.
    2012). It is 0 for the ideal ranking, falls where others come too early, and rises where relevant documents
    come late: neither more nor less is better."""
    Twist: Measure
    """twist: The mean of ρ, how long a reader must go on, and σ, how much is displaced, against the ideal ranking
    (Ferro et al. 2016); 0 where no relevant document is retrieved."""
    Bpref: Measure
    """binary preference: The share of judged pairs that are in the right order, over the first R documents judged
    not relevant (Buckley and Voorhees 2004, as in trec_eval)."""
    infAP: Measure
    """inferred average precision: AP estimated from a sample of the pool: a grade below 0 marks a document of the
    pool that was not judged (Yilmaz and Aslam 2006, as in trec_eval)."""
    xinfAP: Measure
    """extended inferred average precision: AP estimated from a stratified sample of the pool, from qrels with
    strata (Yilmaz, Kanoulas and Aslam 2008); without strata the pool is one stratum."""
    Judged: Measure
    """judged share: The share of the top k, or of the whole list if shorter, that is in the qrels."""
    Unjudged: Measure
    """unjudged share: The share of the top k that was not judged: it is not in the qrels, or has a grade below 0
    there. A shorter list is padded with judged documents, as in trec_eval 10; Judged@k is of the list itself."""
    IPrec: Measure
    """interpolated precision: The highest precision at any rank where the recall is at least that after the @,
    such as IPrec@0.1; 0 where it is not reached. Recall is counted in whole documents, rounded as in trec_eval
    9."""
    IAP: Measure
    """11-point interpolated average precision: The mean of the interpolated precision at recall 0, 0.1, ..., 1."""
    SetP: Measure
    """set precision: The share of relevant documents in the whole list."""
    SetR: Measure
    """set recall: The share of the relevant documents that are in the list."""
    SetF: Measure
    """set F: The weighted harmonic mean of set precision P and set recall R, (β + 1)PR / (βP + R); β is not
    squared, as in trec_eval."""
    SetAP: Measure
    """set average precision: Set precision times set recall."""
    Utility: Measure
    """utility: What the list is worth: so much for each relevant document, for each other document, and for each
    relevant document that is missed (trec_eval's utility without its fourth weight)."""
    GMAP: Measure
    """geometric mean average precision: AP, averaged over topics by the geometric mean, in which hard topics count
    more. The score of a topic is the logarithm, of at least 0.00001: means, tests and intervals are of
    logarithms, and the mean that is shown is geometric, as in trec_eval."""
    GMBpref: Measure
    """geometric mean binary preference: Bpref, averaged over topics by the geometric mean. The score of a topic is
    the logarithm, of at least 0.00001: means, tests and intervals are of logarithms, and the mean that is shown
    is geometric, as in trec_eval."""
    NumRet: Measure
    """documents retrieved: The number of documents in the list, or in its top k; with rel= that of relevant ones."""
    NumRel: Measure
    """relevant documents: The number of relevant documents in the qrels."""
    NumNonrelRet: Measure
    """judged documents retrieved that are not relevant: The number of documents in the list, or in its top k, that
    were judged not relevant."""
    NumQ: Measure
    """topics: 1 for every topic."""
    Rndcg: Measure
    """nDCG at levels of R: nDCG at each rank where the gain of the ideal ranking changes, and at the end of a list
    that is longer by two or more, averaged (experimental in trec_eval). A topic counts if some document is
    relevant; all with a gain are scored."""
    RelNDCG: Measure
    """nDCG averaged over relevant documents: nDCG at the rank of each relevant document, averaged; at the end of
    the list for those not retrieved (trec_eval's ndcg_rel, experimental there)."""
    G: Measure
    """normalised gain: The gain of each document over log2(2 + what the ideal ranking has gained more down to its
    rank), summed and divided by all gains (experimental in trec_eval)."""
    BinG: Measure
    """binary G: The mean over the relevant documents of 1 / log2(2 + the others above it); 0 for those not
    retrieved (experimental in trec_eval)."""
    alpha_nDCG: Measure
    """α-nDCG: The sum over the documents of what they gain by their subtopics, over log2(rank + 1), divided by the
    same sum for an ideal list; a subtopic loses the share α of its gain with every document relevant to it
    (Clarke et al. 2008). The ideal list is made greedily, as in ndeval."""
    alpha_DCG: Measure
    """α-DCG: The same sum as in α-nDCG, divided by that of a list whose documents are all relevant to all
    subtopics of the topic, as in ndeval."""
    ERR_IA: Measure
    """intent-aware expected reciprocal rank: ERR by subtopic, averaged over the subtopics, where a reader stops at
    a relevant document with probability 1/2; divided by that of a list whose documents are all relevant
    (Chapelle et al. 2011, as in ndeval)."""
    nERR_IA: Measure
    """normalised intent-aware expected reciprocal rank: ERR_IA divided by that of the ideal list of α-nDCG with α
    = 1/2, as in ndeval."""
    NRBP: Measure
    """novelty- and rank-biased precision: The sum over the documents of what they gain by their subtopics times
    β^(rank − 1), divided by that of an endless list whose documents are all relevant to all subtopics (Clarke
    et al. 2009)."""
    nNRBP: Measure
    """normalised novelty- and rank-biased precision: NRBP divided by that of the ideal list of α-nDCG, as in
    ndeval."""
    AP_IA: Measure
    """intent-aware average precision: Average precision by subtopic, averaged over the subtopics that have a
    relevant document (Agrawal et al. 2009)."""
    P_IA: Measure
    """intent-aware precision: Precision by subtopic, averaged over the subtopics that have a relevant document
    (Agrawal et al. 2009)."""
    StRecall: Measure
    """subtopic recall: The share of the subtopics that have a relevant document in the top k (Zhai et al. 2003)."""
    Compat: Measure
    """compatibility: The rank-biased overlap of the list with the ideal list that is most like it: over depths d,
    the sum of p^(d − 1) times the share of documents that the tops of both have in common, divided by that of
    the ideal list with itself (Clarke, Vtyurina and Smucker 2021)."""
    __all__ = [
        "AP",
        "P",
        "R",
        "R_cap",
        "F1",
        "Success",
        "Rprec",
        "RR",
        "PairAccuracy",
        "Q",
        "GAP",
        "nDCG",
        "DCG",
        "SDCG",
        "ERR",
        "RBP",
        "INSQ",
        "INST",
        "BPM",
        "NERR8",
        "NERR9",
        "NERR10",
        "NERR11",
        "MP",
        "MADP",
        "CRP",
        "Twist",
        "Bpref",
        "infAP",
        "xinfAP",
        "Judged",
        "Unjudged",
        "IPrec",
        "IAP",
        "SetP",
        "SetR",
        "SetF",
        "SetAP",
        "Utility",
        "GMAP",
        "GMBpref",
        "NumRet",
        "NumRel",
        "NumNonrelRet",
        "NumQ",
        "Rndcg",
        "RelNDCG",
        "G",
        "BinG",
        "alpha_nDCG",
        "alpha_DCG",
        "ERR_IA",
        "nERR_IA",
        "NRBP",
        "nNRBP",
        "AP_IA",
        "P_IA",
        "StRecall",
        "Compat",
    ]
else:  # a name that a program registers is one, too
    Test = str
    Correction = str
    Population = str
    Transform = str
    JudgesTest = str
    RobustnessPopulation = str
    RobustnessTest = str
    PartitionFill = str
    PartitionP = str
    PartitionAggregate = str
    PartitionDrawn = str
    PartitionModel = str
    PartitionTests_correction = str
    InstancesModel = str
    InstancesCorrection = str
    InstancesVariances = str
    InstancesDf = str
    PlanReplicates = str
